/// One case: what it asserts, and the code that decides it.
public struct ConformanceCase: Sendable, Identifiable {
  /// Stable: `"2.3.3.3.1/17"` is the 17th official case of clause 2.3.3.3.1, `"2.1.2.1+value-stays"` an
  /// additional case of clause 2.1.2.1.
  public let id: String
  /// The clause of Promises/A+ 1.1, such as `"2.2.6.1"`.
  public let clause: String
  /// What the case asserts, in a line.
  public let title: String
  /// Its number in the official suite, 1...872, counted in the order in which that suite runs. `nil` for an
  /// additional case.
  public let officialNumber: Int?
  /// The capabilities that the case needs.
  public let needs: Capabilities
  /// Whether the case is about the order of handlers, which an adapter may observe in the order of
  /// scheduling; see ``HandlerOrder``.
  public let observesOrder: Bool

  let content: Content

  /// Whether the case is part of the official suite.
  public var isOfficial: Bool { officialNumber != nil }

  /// The reason why Swift cannot express this official case; `nil` for a ported case.
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
