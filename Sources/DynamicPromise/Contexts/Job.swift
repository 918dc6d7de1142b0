// How jobs get to the contexts.

import Dispatch

extension ContextRef {
  /// Gives the job of `child`, which is held, to the context.
  func submit(_ child: Unmanaged<Promise>, _ agenda: inout Agenda) {
    switch kind {
    case .shared:
      Relay.mine.add(child)
    case .queue(let line):
      // The child holds the context, and may be gone before the call returns.
      _ = line.retain()
      line._withUnsafeGuaranteedRef { $0.enqueue(child) }
      line.release()
    case .immediate:
      agenda.run(child)
    case .mainImmediate:
      Self.mainQueue.submit(child, &agenda)
    case .other(let box):
      if word == Self.mainQueue.word { return Hop.enqueueOnMain(child) }
      agenda.submitContinuation()
      _ = box.retain()
      box._withUnsafeGuaranteedRef { $0.context.execute(Job(child).run) }
      box.release()
    }
  }

  /// Runs a `finally` closure whose child was cancelled before it had started (C9).
  func runDetached(_ handlers: Handlers, _ reason: any Error) {
    let run = FirstRun()
    execute {
      guard run.once.claim() else { return }
      guard case .running(let handler)? = try? handlers.rejected?(reason) else { return }
      var agenda = Agenda()
      handler.observe(ReturnOfHandler(handler, of: nil, reason), &agenda)
      agenda.run()
    }
  }

  /// Gives the context a job that nobody's promise depends on.
  func execute(_ job: @escaping @Sendable () -> Void) {
    switch kind {
    case .shared: DefaultContext.queue.async(execute: job)
    case .queue(let line): line.takeUnretainedValue().queue.async(flags: .barrier, execute: job)
    case .immediate: job()
    case .mainImmediate: MainImmediateContext().execute(job)
    case .other(let box):
      let box = box.takeUnretainedValue()
      box.context.execute { Running.run(in: .passUnretained(box), job) }
    }
  }

  /// The context that a `Job` was made for; borrowed.
  fileprivate var boxOfJob: Unmanaged<Box>? {
    if case .other(let box) = kind { box } else { nil }
  }
}

/// Whether a job that nobody's promise depends on has run: a second run is ignored like that of any other.
private final class FirstRun: Sendable {
  let once = Once()
}

/// What a context of somebody else's making is given: runs once, and breaks its promise if it is dropped unrun. The closure
/// captures nothing else, so that it needs no memory of its own.
private final class Job: Sendable {
  /// Held until the first run, which consumes it, so that a context that keeps its jobs for longer keeps no promise.
  private let child: Parcel

  init(_ child: Unmanaged<Promise>) { self.child = Parcel(child) }

  func run() {
    guard let child = child.take() else { return }
    // The child may be gone before its job has ended.
    let context = child.use { $0.context }.retained()
    Running.run(in: context.boxOfJob!) { Promise.work(child, continuesInPlace: false) }
    context.release()
  }

  deinit {
    if let child = child.take() { child.takeRetainedValue().breakDropped() }
  }
}

extension Promise {
  /// The context has dropped this child's job: nobody can run the handler any more.
  fileprivate func breakDropped() {
    let bits = word.lock()
    let displaced = cold?.displaced
    cold?.displaced = nil
    word.unlock(bits)
    if bits & State.hasHandlers != 0 { breakHandler() }
    displaced?.breakHandler()
  }

  private func breakHandler() {
    var agenda = Agenda()
    let bits = word.lock()
    guard State.isUnresolved(bits) else { return word.unlock(bits) }
    finish(bits, Store(reason: PromiseError.brokenAt(fate?.origin)), State.rejected, &agenda)
    agenda.run()
  }
}
