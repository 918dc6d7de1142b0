import Foundation

/// A small integer per thread, zero at first.
struct ThreadLocal: Sendable {
  /// The number of calls into the implementation, and of handlers, on this thread's stack.
  static let stackDepth = ThreadLocal()
  /// The number of the logged job that this thread runs, zero if none.
  static let jobNumber = ThreadLocal()
  /// The lane of a program whose job this thread runs, as a number.
  static let lane = ThreadLocal()

  private let key: pthread_key_t

  private init() {
    var key = pthread_key_t()
    precondition(pthread_key_create(&key, nil) == 0, "no thread-local storage left")
    self.key = key
  }

  var value: Int {
    get { Int(bitPattern: pthread_getspecific(key)) }
    nonmutating set { pthread_setspecific(key, UnsafeMutableRawPointer(bitPattern: newValue)) }
  }

  /// Runs `body` with the value raised by one.
  func raised<R>(_ body: () throws -> R) rethrows -> R {
    value += 1
    defer { value -= 1 }
    return try body()
  }
}
