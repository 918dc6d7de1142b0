/// One case: what it asserts, and the code that decides it.
public struct ConformanceCase: Sendable, Identifiable {
  /// Stable: `"2.3.3.3.1/17"` is the 17th official case of clause 2.3.3.3.1, `"2.1.2.1+value-stays"` a case
  /// of our own that belongs to clause 2.1.2.1.
  public let id: String
  /// The clause of Promises/A+ 1.1, such as `"2.2.6.1"`.
  public let clause: String
  /// What the case asserts, in a line.
  public let title: String
  /// Its number in the official suite, 1...872, counted in the order in which that suite runs. `nil` for a
  /// case of our own.
  public let officialNumber: Int?
  /// What an implementation must be able to express for the case to make sense.
  public let needs: Capabilities
  /// Whether the case is about the order of handlers, so that an adapter may have it decided by the order in
  /// which they are scheduled; see ``HandlerOrder``.
  public let observesOrder: Bool

  let content: Content

  /// Whether the case is part of the official suite.
  public var isOfficial: Bool { officialNumber != nil }

  /// Why no Swift program can say what this official case says; `nil` for a case that is ported.
  public var inexpressible: String? {
    if case .inexpressible(let reason) = content { reason } else { nil }
  }

  enum Content: Sendable {
    case body(@Sendable (Probe) throws -> Void)
    case inexpressible(reason: String)
  }

  /// Whether `selector` names this case: its id, its clause, or a clause above it (`"2.3.3"`).
  public func matches(_ selector: String) -> Bool {
    selector == id || selector == clause || clause.hasPrefix(selector + ".")
  }
}
