/// The time of a settlement, relative to the registration of handlers.
enum Timing: String, CaseIterable, Sendable {
  /// Before anything is registered.
  case already
  /// After that, by the same thread.
  case immediately
  /// After that, by another thread.
  case eventually

  func settle(_ probe: Probe, _ action: @escaping @Sendable () -> Void) {
    switch self {
    case .already: action()
    case .immediately: probe.beforeWaiting(action)
    case .eventually: probe.elsewhereBeforeWaiting(action)
    }
  }
}

extension Probe {
  func fulfilled(_ value: Any, _ timing: Timing) -> Subject {
    if timing == .already { return fulfilled(value) }
    let d = pending()
    let value = Passed(value)
    timing.settle(self) { d.fulfill(value.value) }
    return d.promise
  }

  func rejected(_ reason: Any, _ timing: Timing) -> Subject {
    if timing == .already { return rejected(reason) }
    let d = pending()
    let reason = Passed(reason)
    timing.settle(self) { d.reject(reason.value) }
    return d.promise
  }

  /// A promise that was resolved with `x`, at once.
  func resolved(_ x: Any) -> Subject {
    let d = pending()
    d.resolve(x)
    return d.promise
  }
}

extension ClauseBuilder {
  /// Three cases: the body with a promise that is fulfilled with `dummy` already, immediately, eventually.
  mutating func eachFulfilled(
    _ title: String, needs: Capabilities = [], observesOrder: Bool = false,
    _ body: @escaping @Sendable (_ probe: Probe, _ promise: Subject, _ dummy: Sentinel) throws -> Void
  ) {
    for timing in Timing.allCases {
      official("\(title); \(timing)-fulfilled", needs: needs, observesOrder: observesOrder) { p in
        let dummy = Sentinel("dummy")
        try body(p, p.fulfilled(dummy, timing), dummy)
      }
    }
  }

  /// Three cases: the body with a promise that is rejected with `dummy` already, immediately, eventually.
  mutating func eachRejected(
    _ title: String, needs: Capabilities = [], observesOrder: Bool = false,
    _ body: @escaping @Sendable (_ probe: Probe, _ promise: Subject, _ dummy: SentinelError) throws -> Void
  ) {
    for timing in Timing.allCases {
      official("\(title); \(timing)-rejected", needs: needs, observesOrder: observesOrder) { p in
        let dummy = SentinelError("dummy")
        try body(p, p.rejected(dummy, timing), dummy)
      }
    }
  }
}
