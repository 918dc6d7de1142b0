// C functions that receive sets of signals by pointer.

import Foundation

/// Runs `body` on this thread with `SIGTERM` unblocked. A started program inherits the blocked signals of the
/// thread that starts it, and Dispatch's threads block `SIGTERM`.
func withTerminationSignal<T>(_ body: () throws -> T) rethrows -> T {
  #if os(Linux)
    var terminate = sigset_t()
    var former = sigset_t()
    sigemptyset(&terminate)
    sigaddset(&terminate, SIGTERM)
    pthread_sigmask(SIG_UNBLOCK, &terminate, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
  #endif
  return try body()
}
