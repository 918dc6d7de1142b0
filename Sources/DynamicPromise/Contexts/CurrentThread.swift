// Which thread runs the caller. Neither Dispatch nor the standard library says so, and a task-local value would cost an
// allocation for each handler and be inherited by tasks, which run elsewhere.

/// The thread that runs the caller, for comparison only. No two threads that exist have the same number; one that has
/// ended may leave it to another.
package enum CurrentThread {
  package static var id: UInt { posixThread() }
}

/// POSIX's `pthread_self` by its symbol, because the core imports no module that declares it. A word comes back either way: a
/// number on Linux, an address on Apple systems.
@_silgen_name("pthread_self")
private func posixThread() -> UInt
