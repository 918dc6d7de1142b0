// A suspended task among the observers of a promise.
//
// Its continuation is a checked one, as is every one in this folder. Resuming an unchecked one reads the task's frame in our
// own code, and where that comes before the task has got as far as to suspend, the runtime goes on without an edge that Thread
// Sanitizer could see (`swift_continuation_await` finds the state `Resumed`): it reports the frame's next use as a race. The
// checked one's resume is the runtime's own code. It costs one small allocation beside a suspension.

/// Resumes a task with a promise's outcome, or because the task was cancelled; exactly once, whatever comes first.
///
/// It is *decided* by whoever sets the bit: the settling stack, the cancellation handler, or the task itself where it finds
/// that it need not suspend at all. Only who has decided touches the continuation.
final class TaskWaiter: Observer, @unchecked Sendable {
  typealias Outcome = UncheckedBox<Result<Any, any Error>>

  private static let decided: UInt = 1 << 1
  private static let cancelled: UInt = 1 << 2

  /// Held until this has left the promise's list (L1).
  private let promise: Promise
  private let word = LockedWord(0)
  private var continuation: CheckedContinuation<Outcome, Never>?

  init(_ promise: Promise) { self.promise = promise }

  /// Keeps the suspended task until the promise has settled, or resumes it at once if it was cancelled.
  func start(_ continuation: CheckedContinuation<Outcome, Never>) {
    let bits = word.lock()
    if bits & Self.cancelled != 0 {
      word.unlock(bits)
      return continuation.resume(returning: Self.cancellation)
    }
    self.continuation = continuation
    word.unlock(bits)
    var agenda = Agenda()
    promise.observe(self, &agenda)
    agenda.run()
    // A cancellation that came before this had entered the list could not take it out.
    if word.peek() & Self.cancelled != 0 { promise.forget(self) }
  }

  /// The task was cancelled: the waiter leaves the promise. With `cancelsPromise` it cancels that one before it resumes. Nothing if
  /// the promise has settled: then its outcome is on the way.
  func cancel(cancelsPromise: Bool) {
    if promise.isSettled { return }
    let bits = word.lock()
    guard bits & Self.decided == 0 else { return word.unlock(bits) }
    let suspended = continuation
    continuation = nil
    word.unlock(bits | Self.decided | Self.cancelled)
    promise.forget(self)
    guard cancelsPromise else {
      suspended?.resume(returning: Self.cancellation)
      return
    }
    TaskCancellations.inTurn { [promise] in
      var agenda = Agenda()
      promise.tellIfPending(CancellationError(), &agenda)
      agenda.run()
      suspended?.resume(returning: Self.cancellation)
    }
  }

  override func settled(_ promise: Promise, _ agenda: inout Agenda) {
    let bits = word.lock()
    let suspended = continuation  // None, if it was cancelled.
    continuation = nil
    word.unlock(bits | Self.decided)
    suspended?.resume(returning: UncheckedBox(promise.result ?? .failure(PromiseError.broken)))
  }

  private static var cancellation: Outcome { Outcome(.failure(CancellationError())) }
}

/// Cancels promises that tasks wait for, where tasks wait for each other's promises: one that is cancelled cancels its task, whose handler
/// is called on the same stack and comes back here. So only the first one cancels; it does so for the others in turn (L4).
private enum TaskCancellations {
  private final class Line {
    var steps: [() -> Void] = []
  }

  private static let word = ThreadWord()

  static func inTurn(_ step: @escaping () -> Void) {
    if let line = word.value {
      return Unmanaged<Line>.fromOpaque(line).takeUnretainedValue().steps.append(step)
    }
    let line = Line()
    word.value = UnsafeRawPointer(Unmanaged.passUnretained(line).toOpaque())
    step()
    var next = 0
    while next < line.steps.count {
      line.steps[next]()
      next += 1
    }
    word.value = nil
  }
}
