/// The order of one promise's numbered handlers. It is the order in which the bodies run, or the order of
/// scheduling if the adapter logs that order.
final class Order: Sendable {
  private let calls: Calls
  private let isOfScheduling: Bool

  init(_ probe: Probe) {
    calls = probe.calls("a handler")
    if case .scheduling = probe.bridge.handlerOrder { isOfScheduling = true } else { isOfScheduling = false }
  }

  /// Records that the handler `name` runs. The handler calls this function.
  func record(_ name: Int) { calls.record(name) }

  func handler(_ name: Int) -> Handler {
    { [self] _ in
      record(name)
      return ()
    }
  }

  /// Waits for one call per name, and fails unless the calls have this order.
  func expect(_ names: [Int]) throws {
    let calls = try calls.wait(names.count)
    if isOfScheduling, calls.contains(where: { $0.jobNumber == 0 }) {
      throw CaseFailure("a handler ran outside of any job that the scheduling log has stamped")
    }
    let order = calls.enumerated()
      .sorted { ($0.element.jobNumber, $0.offset) < ($1.element.jobNumber, $1.offset) }
      .map { $0.element.value as! Int }
    let observed = isOfScheduling ? order : calls.map { $0.value as! Int }
    if let index = zip(observed, names).enumerated().first(where: { $1.0 != $1.1 })?.offset {
      let what = isOfScheduling ? "scheduled" : "called"
      let nearby = observed[max(0, index - 2)..<min(observed.count, index + 6)].map(String.init)
      throw CaseFailure(
        "handlers were \(what) out of order: \(nearby.joined(separator: ", ")), where \(names[index]) was due"
      )
    }
  }
}
