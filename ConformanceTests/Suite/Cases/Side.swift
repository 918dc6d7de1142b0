/// One of the two ways to settle, for cases that exist for both.
enum Side: Sendable {
  case fulfilled, rejected

  /// The way to settle as a noun, what comes with it, and the name of its handler.
  var words: (settlement: String, outcome: String, handler: String) {
    switch self {
    case .fulfilled: ("fulfillment", "value", "onFulfilled")
    case .rejected: ("rejection", "reason", "onRejected")
    }
  }

  var other: Side { self == .fulfilled ? .rejected : .fulfilled }

  /// A new value or reason.
  func outcome(_ name: String) -> Any { self == .fulfilled ? Sentinel(name) : SentinelError(name) }

  func settle(_ pending: PendingSubject, with outcome: Any) {
    self == .fulfilled ? pending.fulfill(outcome) : pending.reject(outcome)
  }

  func settle(_ pending: PendingSubject, _ name: String) { settle(pending, with: outcome(name)) }

  /// A promise that is settled already.
  func settled(_ p: Probe, with outcome: Any) -> Subject {
    self == .fulfilled ? p.fulfilled(outcome) : p.rejected(outcome)
  }

  /// Adds a handler for this side, and one for the other.
  @discardableResult
  func handle(_ promise: Subject, _ handler: @escaping Handler, other: Handler? = nil) -> Subject {
    self == .fulfilled ? promise.then(handler, other) : promise.then(other, handler)
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

extension ClauseBuilder {
  /// Three cases: the body with a promise that is settled already, immediately, eventually, and its outcome.
  mutating func each(
    _ side: Side, _ title: String, needs: Capabilities = [], observesOrder: Bool = false,
    _ body: @escaping @Sendable (_ probe: Probe, _ promise: Subject, _ dummy: Any) throws -> Void
  ) {
    switch side {
    case .fulfilled: eachFulfilled(title, needs: needs, observesOrder: observesOrder, body)
    case .rejected: eachRejected(title, needs: needs, observesOrder: observesOrder, body)
    }
  }
}
