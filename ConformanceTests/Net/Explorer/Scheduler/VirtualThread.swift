// Real threads, of which exactly one runs at any time. Real threads are needed, because the Swift runtime has
// state per thread.

import Dispatch
internal import Hooks

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thread that waits for its turn. The next run reuses the thread.
final class VirtualThread: @unchecked Sendable {
  enum State {
    case ready
    case locked(Cell)
    case waiting(Cell)
    case done
  }

  let number: Int
  var label = ""
  var state = State.done
  var body: (() -> Void)?
  private let turn = DispatchSemaphore(value: 0)

  init(number: Int) {
    self.number = number
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let held = Unmanaged.passRetained(self)
    let error = pthread_create(
      &thread, nil,
      { argument in
        let argument: UnsafeMutableRawPointer? = argument
        let me = Unmanaged<VirtualThread>.fromOpaque(argument!).takeUnretainedValue()
        while true {
          me.sleep()
          me.work()
        }
      }, held.toOpaque())
    precondition(error == 0, "no more threads")
  }

  var canRun: Bool {
    switch state {
    case .ready: true
    case .locked(let cell): cell.bits & 1 == 0
    case .waiting(let cell): cell.bits != 0
    case .done: false
    }
  }

  func wake() { turn.signal() }

  func sleep() { turn.wait() }

  private func work() {
    _ = hooks_enter(Int32(number + 1))
    body?()
    body = nil  // Frees the captures while this thread is still scheduled.
    _ = hooks_enter(-1)
    Scheduler.end(self)
  }
}
