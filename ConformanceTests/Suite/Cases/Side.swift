/// One of the two ways to settle, for cases that exist for both.
enum Side: CaseIterable, Sendable {
  case fulfilled, rejected

  /// The way to settle as a noun, what comes with it, the name of its handler, and the call of a thenable.
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

  /// A promise that is settled at that time.
  func settled(_ p: Probe, with outcome: Any, _ timing: Timing = .already) -> Subject {
    if timing == .already { return self == .fulfilled ? p.fulfilled(outcome) : p.rejected(outcome) }
    let (d, outcome) = (p.pending(), Passed(outcome))
    timing.settle(p) { settle(d, with: outcome.value) }
    return d.promise
  }

  /// Adds a handler for this side, and one for the other.
  @discardableResult
  func handle(_ promise: Subject, _ handler: @escaping Handler, other: Handler? = nil) -> Subject {
    self == .fulfilled ? promise.then(handler, other) : promise.then(other, handler)
  }

  /// The promise for a handler of this side that returns what `make` makes.
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
  /// A promise that was resolved with `x`, at once.
  func resolved(_ x: Any) -> Subject {
    let d = pending()
    d.resolve(x)
    return d.promise
  }
}

extension ClauseBuilder {
  /// Three cases: the body with a promise that is settled already, immediately, eventually, and its outcome.
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

  /// Two cases: a handler of a fulfilled promise, and of a rejected one, returns the `x` of the resolution
  /// procedure.
  mutating func viaReturn(
    _ title: String, needs: Capabilities,
    _ body: @escaping @Sendable (_ probe: Probe, _ via: Side) throws -> Void
  ) {
    for via in Side.allCases {
      official("\(title); returned by a \(via) promise's handler", needs: needs) { p in try body(p, via) }
    }
  }
}
