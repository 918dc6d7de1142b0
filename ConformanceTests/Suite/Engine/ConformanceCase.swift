/// One case: what it asserts, and the code that decides it.
public struct ConformanceCase: Sendable, Identifiable {
  /// Stable: `"2.3.3.3.1/17"` is the 17th official case of clause 2.3.3.3.1, `"2.1.2.1+value-stays"` an
  /// additional case of clause 2.1.2.1.
  public let id: String
  /// The clause of Promises/A+ 1.1, such as `"2.2.6.1"`. In a chapter the clause of ECMA-262, such as
  /// `"27.2.4.1"`, or the profile of cancellation, such as `"cancel.down"`.
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
  /// The part of the suite that the case belongs to.
  public internal(set) var chapter = Chapter.promisesAPlus
  /// What an adapter lacks for the case, in words; `nil` if nothing beside capabilities.
  var missing: @Sendable (Bridge) -> String? = { _ in nil }

  /// Whether the case is part of the official suite.
  public var isOfficial: Bool { officialNumber != nil }

  /// Whether the case is about Promises/A+ without being part of the official suite.
  public var isBeyond: Bool { chapter == .promisesAPlus && officialNumber == nil }

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
