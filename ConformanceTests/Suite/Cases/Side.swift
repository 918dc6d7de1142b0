/// One of the two ways to settle. Many cases exist for each way.
enum Side: CaseIterable, Sendable {
  case fulfilled, rejected

  /// The names of the settlement, its outcome, its handler, and the thenable's call.
  var words: (settlement: String, outcome: String, handler: String, call: String) {
    switch self {
    case .fulfilled: ("fulfillment", "value", "onFulfilled", "resolve")
    case .rejected: ("rejection", "reason", "onRejected", "reject")
    }
  }

  var other: Side { self == .fulfilled ? .rejected : .fulfilled }

  /// A new value or reason.
  func outcome(_ name: String) -> Any { self == .fulfilled ? Sentinel(name) : SentinelError(name) }

  func settle(_ pending: PendingSubject, with outcome: Any) {
    self == .fulfilled ? pending.fulfill(outcome) : pending.reject(outcome)
  }

  func settle(_ pending: PendingSubject, _ name: String) { settle(pending, with: outcome(name)) }

  /// Returns a promise that is settled with `outcome`, at the time `timing`.
  func settled(_ p: Probe, with outcome: Any, _ timing: Timing = .already) -> Subject {
    if timing == .already { return self == .fulfilled ? p.fulfilled(outcome) : p.rejected(outcome) }
    let (d, outcome) = (p.pending(), Passed(outcome))
    timing.settle(p) { settle(d, with: outcome.value) }
    return d.promise
  }

  /// Adds `handler` for this side, and `other` for the other side.
  @discardableResult
  func handle(_ promise: Subject, _ handler: @escaping Handler, other: Handler? = nil) -> Subject {
    self == .fulfilled ? promise.then(handler, other) : promise.then(other, handler)
  }

  /// Returns the child of a settled promise. The handler for this side returns `make()`.
  func promise(_ p: Probe, returning make: @escaping @Sendable () throws -> Any) -> Subject {
    handle(settled(p, with: outcome("dummy"))) { _ in try make() }
  }

  func expect(_ p: Probe, _ promise: Subject, with outcome: Any) throws {
    try expect(p, p.observe(promise), with: outcome)
  }

  func expect(_ p: Probe, _ endings: Calls, with outcome: Any) throws {
    switch self {
    case .fulfilled: try p.expectFulfilled(endings, with: outcome)
    case .rejected: try p.expectRejected(endings, with: outcome)
    }
  }
}

/// The time of a settlement, relative to the registration of handlers.
enum Timing: CaseIterable, Sendable {
  /// Before handlers are registered.
  case already
  /// After handlers are registered, by the same thread.
  case immediately
  /// After handlers are registered, by another thread.
  case eventually

  func settle(_ probe: Probe, _ action: @escaping @Sendable () -> Void) {
    switch self {
    case .already: action()
    case .immediately: probe.beforeWaiting(action)
    case .eventually: probe.beforeWaiting { probe.elsewhere(action) }
    }
  }
}

extension Probe {
  /// Returns a promise that is resolved with `x` at once.
  func resolved(_ x: Any) -> Subject {
    let d = pending()
    d.resolve(x)
    return d.promise
  }
}

extension ClauseBuilder {
  /// Adds three cases. The body receives a promise that is settled already, immediately or eventually, and
  /// its outcome.
  mutating func each(
    _ side: Side, _ title: String, needs: Capabilities = [], observesOrder: Bool = false,
    _ body: @escaping @Sendable (_ probe: Probe, _ promise: Subject, _ dummy: Any) throws -> Void
  ) {
    for timing in Timing.allCases {
      official("\(title); \(timing)-\(side)", needs: needs, observesOrder: observesOrder) { p in
        let dummy = side.outcome("dummy")
        try body(p, side.settled(p, with: dummy, timing), dummy)
      }
    }
  }

  /// Adds two cases. A handler of a fulfilled promise, or of a rejected promise, returns the value `x` of the
  /// resolution procedure.
  mutating func viaReturn(
    _ title: String, needs: Capabilities,
    _ body: @escaping @Sendable (_ probe: Probe, _ via: Side) throws -> Void
  ) {
    for via in Side.allCases {
      official("\(title); returned by a \(via) promise's handler", needs: needs) { p in try body(p, via) }
    }
  }
}
