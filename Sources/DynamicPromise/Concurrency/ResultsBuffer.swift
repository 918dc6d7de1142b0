/// Behind ``Promise/Results``: who has settled, who has not, who waits.
final class ResultsBuffer: @unchecked Sendable {
  typealias Delivery = UncheckedBox<Promise.Results.Element?>

  private static let ended: UInt = 1 << 1

  /// Guards all fields.
  private let word = LockedWord(0)
  /// The registrations at inputs that are still pending, by their place among the inputs.
  private var nodes: [Int: Node] = [:]
  /// Outcomes that nobody has taken yet, oldest first.
  private var outcomes: [Promise.Results.Element] = []
  private var head = 0
  /// How many inputs have not settled.
  private var pending: Int
  private var waiting: [CheckedContinuation<Delivery, Never>] = []
  private var iterators = 0

  init(of inputs: [Promise]) {
    pending = inputs.count
    let all = inputs.enumerated().map { Node($0.offset, $0.element, self) }
    for node in all { nodes[node.index] = node }
    var agenda = Agenda()
    // One that has settled counts as such, even if its handlers are still being handed over (T3.1).
    var open: [Node] = []
    for node in all {
      guard node.promise.isSettled else {
        open.append(node)
        continue
      }
      node.promise.markObserved()
      node.settled(node.promise, &agenda)
    }
    for node in open { node.promise.observe(node, &agenda) }
    agenda.run()
  }

  /// The next outcome, suspending until there is one; `nil` at the end.
  func next(isolation: isolated (any Actor)?) async -> Delivery {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { deliver(to: $0) }
    } onCancel: {
      finish()
    }
  }

  private func deliver(to continuation: CheckedContinuation<Delivery, Never>) {
    let bits = word.lock()
    if bits & Self.ended == 0, head < outcomes.count {
      let outcome = takeFirst()
      word.unlock(bits)
      continuation.resume(returning: Delivery(outcome))
    } else if bits & Self.ended != 0 || pending == 0 {
      word.unlock(bits)
      continuation.resume(returning: Delivery(nil))
    } else {
      waiting.append(continuation)
      word.unlock(bits)
    }
  }

  private func takeFirst() -> Promise.Results.Element {
    let first = outcomes[head]
    outcomes[head] = .success(())
    head += 1
    if head == outcomes.count {
      outcomes.removeAll(keepingCapacity: true)
      head = 0
    }
    return first
  }

  fileprivate func settled(_ index: Int, _ promise: Promise) {
    guard let outcome = promise.result else { return }
    let bits = word.lock()
    guard bits & Self.ended == 0 else { return word.unlock(bits) }
    let node = nodes.removeValue(forKey: index)
    pending -= 1
    let taker = waiting.isEmpty ? nil : waiting.removeFirst()
    if taker == nil { outcomes.append(outcome) }
    var disappointed: [CheckedContinuation<Delivery, Never>] = []
    if pending == 0 { swap(&disappointed, &waiting) }
    word.unlock(bits)
    taker?.resume(returning: Delivery(outcome))
    for continuation in disappointed { continuation.resume(returning: Delivery(nil)) }
    withExtendedLifetime(node) {}
  }

  /// Ends the sequence: leaves the pending inputs, drops what was not taken, lets everybody who waits go.
  private func finish() {
    var left: [Int: Node] = [:]
    var dropped: [Promise.Results.Element] = []
    var disappointed: [CheckedContinuation<Delivery, Never>] = []
    let bits = word.lock()
    swap(&left, &nodes)
    swap(&dropped, &outcomes)
    swap(&disappointed, &waiting)
    head = 0
    word.unlock(bits | Self.ended)
    for node in left.values { node.promise.forget(node) }
    for continuation in disappointed { continuation.resume(returning: Delivery(nil)) }
    withExtendedLifetime((left, dropped)) {}
  }

  func retainIterator() {
    let bits = word.lock()
    iterators += 1
    word.unlock(bits)
  }

  func releaseIterator() {
    let bits = word.lock()
    iterators -= 1
    let isLast = iterators == 0
    word.unlock(bits)
    if isLast { finish() }
  }

  func releaseSequence() {
    let bits = word.lock()
    let isUnused = iterators == 0
    word.unlock(bits)
    if isUnused { finish() }
  }

  /// One input's registration. It and its promise hold each other until the promise settles or the sequence ends (L1).
  fileprivate final class Node: Observer {
    let index: Int
    let promise: Promise
    private let buffer: ResultsBuffer

    init(_ index: Int, _ promise: Promise, _ buffer: ResultsBuffer) {
      self.index = index
      self.promise = promise
      self.buffer = buffer
    }

    override func settled(_ promise: Promise, _ agenda: inout Agenda) { buffer.settled(index, promise) }
  }
}
