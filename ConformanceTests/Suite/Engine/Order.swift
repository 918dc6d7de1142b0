/// The order in which the handlers of one promise are called, each known by a number: the order of their
/// bodies, or of their hand-over to the context where the adapter logs that.
final class Order: Sendable {
  private let calls: Calls
  private let atHandOver: Bool

  init(_ probe: Probe) {
    calls = probe.calls("a handler")
    if case .handOver = probe.bridge.handlerOrder { atHandOver = true } else { atHandOver = false }
  }

  /// To be called in the handler.
  func record(_ name: Int) { calls.record(name) }

  /// A handler that records its name.
  func handler(_ name: Int) -> Handler {
    { [self] _ in
      record(name)
      return ()
    }
  }

  /// Waits for as many calls; they must have come in this order.
  func expect(_ names: [Int]) throws {
    let calls = try calls.wait(names.count)
    if atHandOver, calls.contains(where: { $0.handOver == 0 }) {
      throw CaseFailure("a handler ran outside of any job that the hand-over log has stamped")
    }
    let order = calls.enumerated()
      .sorted { ($0.element.handOver, $0.offset) < ($1.element.handOver, $1.offset) }
      .map { $0.element.value as! Int }
    let observed = atHandOver ? order : calls.map { $0.value as! Int }
    if let index = zip(observed, names).enumerated().first(where: { $1.0 != $1.1 })?.offset {
      let what = atHandOver ? "handed to the context" : "called"
      let nearby = observed[max(0, index - 2)..<min(observed.count, index + 6)].map(String.init)
      throw CaseFailure(
        "handlers were \(what) out of order: \(nearby.joined(separator: ", ")), where \(names[index]) was due"
      )
    }
  }
}

extension Probe {
  func order() -> Order { Order(self) }
}
