import Foundation

extension Thread {
  package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = name
    thread.start()
  }
}

/// An integer per thread, initially zero.
struct ThreadLocal: Sendable {
  /// The number of calls into the implementation and of handlers on this thread's stack.
  static let stackDepth = ThreadLocal()
  /// The number of the logged job that this thread runs. It is zero if there is no such job.
  static let jobNumber = ThreadLocal()
  /// The number of the lane whose job this thread runs, in a random program.
  static let lane = ThreadLocal()

  /// Whether this thread's innermost handler runs inside a call into the implementation, or inside another
  /// handler.
  static var isOnForeignStack: Bool { stackDepth.value > 1 }

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

  /// Runs `body` with the value increased by one.
  func raised<R>(_ body: () throws -> R) rethrows -> R {
    value += 1
    defer { value -= 1 }
    return try body()
  }
}
