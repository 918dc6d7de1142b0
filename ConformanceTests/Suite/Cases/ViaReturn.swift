/// The kind of promise whose handler returns the `x` of the resolution procedure.
enum Via: String, CaseIterable, Sendable {
  case fulfilled
  case rejected

  /// The promise for a handler that returns what `make` makes.
  func promise(_ probe: Probe, returning make: @escaping @Sendable () throws -> Any) -> Subject {
    switch self {
    case .fulfilled: probe.fulfilled(Sentinel("dummy")).then { _ in try make() }
    case .rejected: probe.rejected(SentinelError("dummy")).onRejected { _ in try make() }
    }
  }
}

extension ClauseBuilder {
  /// Two cases: a handler of a fulfilled promise, and of a rejected one, returns `x`.
  mutating func viaReturn(
    _ title: String, needs: Capabilities,
    _ body: @escaping @Sendable (_ probe: Probe, _ via: Via) throws -> Void
  ) {
    for via in Via.allCases {
      official("\(title); returned by a \(via) promise's handler", needs: needs) { p in try body(p, via) }
    }
  }
}
