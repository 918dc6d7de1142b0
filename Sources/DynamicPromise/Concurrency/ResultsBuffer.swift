/// The shared state of the iterators of one ``Promise/Results``: outcomes, pending inputs, waiting tasks.
final class ResultsBuffer: Sendable {
  typealias Delivery = UncheckedBox<Promise.Results.Element?>
  private typealias Continuation = CheckedContinuation<Delivery, Never>

  private struct Contents: @unchecked Sendable {
    /// The observers of pending inputs, by the index of the input.
    var registrations: [Int: InputObserver] = [:]
    /// Outcomes that are not delivered yet.
    var outcomes = FIFO<Promise.Results.Element>()
    /// The number of unsettled inputs.
    var pending: Int
    var waiting = FIFO<Continuation>()
    var iterators = 0
    var hasEnded = false
  }

  private let contents: Guarded<Contents>

  init(of inputs: [Promise]) {
    contents = Guarded(Contents(pending: inputs.count))
    let all = inputs.enumerated().map { InputObserver($0.offset, $0.element, self) }
    contents.with { contents in
      for observer in all { contents.registrations[observer.index] = observer }
    }
    let turn = Turn.current
    // Settled inputs are delivered before pending inputs, even if their handlers are still being scheduled.
    var open: [InputObserver] = []
    for observer in all {
      if let outcome = observer.promise.outcome {
        observer.promise.markObserved()
        settled(observer.index, with: outcome, turn)
      } else {
        open.append(observer)
      }
    }
    for observer in open { observer.promise.observe(observer, turn) }
    turn.drain()
  }

  /// The next outcome; `nil` at the end.
  func next(isolation: isolated (any Actor)?) async -> Delivery {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { deliver(to: $0) }
    } onCancel: {
      finish()
    }
  }

  private func deliver(to continuation: CheckedContinuation<Delivery, Never>) {
    let delivery = contents.with { contents -> Delivery? in
      if !contents.hasEnded, let outcome = contents.outcomes.popFirst() { return Delivery(outcome) }
      if contents.hasEnded || contents.pending == 0 { return Delivery(nil) }
      contents.waiting.append(continuation)
      return nil
    }
    if let delivery { continuation.resume(returning: delivery) }
  }

  fileprivate func settled(_ index: Int, with outcome: Outcome, _ turn: Turn) {
    let result = outcome.result
    let (former, taker, left) = contents.with {
      contents -> (InputObserver?, Continuation?, FIFO<Continuation>) in
      guard !contents.hasEnded else { return (nil, nil, FIFO()) }
      let former = contents.registrations.removeValue(forKey: index)
      contents.pending -= 1
      let taker = contents.waiting.popFirst()
      if taker == nil { contents.outcomes.append(result) }
      var left = FIFO<Continuation>()
      if contents.pending == 0 { swap(&left, &contents.waiting) }
      return (former, taker, left)
    }
    // Resuming is deferred, because an executor may use promises when a task is enqueued.
    if let taker { turn.submit(.call { taker.resume(returning: Delivery(result)) }) }
    if !left.isEmpty { turn.submit(.call { Self.end(left) }) }
    if let former { turn.release(former) }
  }

  /// Ends the iteration: removes the observers from the inputs, and resumes the waiting tasks.
  private func finish() {
    let former = contents.with { contents in
      let former = contents
      contents.registrations = [:]
      contents.outcomes = FIFO()
      contents.waiting = FIFO()
      contents.hasEnded = true
      return former
    }
    for observer in former.registrations.values { observer.promise.forget(observer) }
    Self.end(former.waiting)
  }

  private static func end(_ waiting: FIFO<Continuation>) {
    var waiting = waiting
    while let continuation = waiting.popFirst() { continuation.resume(returning: Delivery(nil)) }
  }

  func retainIterator() { contents.with { $0.iterators += 1 } }

  func releaseIterator() {
    let isLast = contents.with { contents in
      contents.iterators -= 1
      return contents.iterators == 0
    }
    if isLast { finish() }
  }

  func releaseSequence() {
    if contents.with({ $0.iterators == 0 }) { finish() }
  }

  /// Observes an input, and retains it until it has settled.
  fileprivate final class InputObserver: Observer, @unchecked Sendable {
    let index: Int
    let promise: Promise
    private let buffer: ResultsBuffer

    init(_ index: Int, _ promise: Promise, _ buffer: ResultsBuffer) {
      self.index = index
      self.promise = promise
      self.buffer = buffer
      super.init(isConsumer: true, at: promise.core.lock)
    }

    override func settled(_ promise: Core, with outcome: Outcome, _ turn: Turn) {
      buffer.settled(index, with: outcome, turn)
    }
  }
}
