// Which thread runs the caller, and what is noted about it. Neither Dispatch nor the standard library says so, and a
// task-local value would cost an allocation for each handler and be inherited by tasks, which run elsewhere.
//
// POSIX's functions are declared here by their symbols, because the core imports no module that declares them.

/// The thread that runs the caller, for comparison only. No two threads that exist have the same number; one that has
/// ended may leave it to another.
package enum CurrentThread {
  package static var id: UInt { posixThread() }
}

/// A word that each thread has of its own; null until the thread sets it.
struct ThreadWord: Sendable {
  private let key: UInt

  /// For the whole life of the process: the system has room for some hundred of these.
  init() {
    var key: UInt = 0
    precondition(posixMakeKey(&key, nil) == 0, "the system has no room for another word of each thread")
    self.key = key
  }

  var value: UnsafeRawPointer? {
    @inline(__always) get { posixGet(key) }
    @inline(__always) nonmutating set { _ = posixSet(key, newValue) }
  }
}

/// A word comes back either way: a number on Linux, an address on Apple systems.
@_silgen_name("pthread_self")
private func posixThread() -> UInt

/// A key is a word on Apple systems; on Linux it is half of one, the lower half on every processor that Swift runs on.
@_silgen_name("pthread_key_create")
private func posixMakeKey(_ key: UnsafeMutablePointer<UInt>, _ destructor: UnsafeRawPointer?) -> Int32

@_silgen_name("pthread_getspecific")
private func posixGet(_ key: UInt) -> UnsafeRawPointer?

@_silgen_name("pthread_setspecific")
private func posixSet(_ key: UInt, _ value: UnsafeRawPointer?) -> Int32
