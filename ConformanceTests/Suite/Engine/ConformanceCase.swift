/// A test case: its assertion, and the code that checks it.
public struct ConformanceCase: Sendable, Identifiable {
  /// A stable identifier.
  ///
  /// `"2.3.3.3.1/17"` is the 17th official case of clause 2.3.3.3.1. `"2.1.2.1+value-stays"` is an additional
  /// case of clause 2.1.2.1.
  public let id: String
  /// The clause that the case tests.
  ///
  /// For Promises/A+ it is a number such as `"2.2.6.1"`. In a chapter it is a clause of ECMA-262 such as
  /// `"27.2.4.1"`.
  public let clause: String
  /// The assertion of the case, in one line.
  public let title: String
  /// The case's number in the official suite, 1...872, in the order in which that suite runs. `nil` for an
  /// additional case.
  public let officialNumber: Int?
  /// The capabilities that the case needs.
  public let needs: Capabilities
  /// Whether the case tests the order of handlers. An adapter may log that order when it schedules handlers;
  /// see ``HandlerOrder``.
  public let observesOrder: Bool

  let content: Content
  /// The part of the suite that the case belongs to.
  public internal(set) var chapter = Chapter.promisesAPlus
  /// The missing member of the adapter, in words; `nil` if none is missing. Capabilities are checked
  /// separately.
  var missing: @Sendable (Bridge) -> String? = { _ in nil }

  /// Whether the case is part of the official suite.
  public var isOfficial: Bool { officialNumber != nil }

  /// Whether the case is about Promises/A+ but not part of the official suite.
  public var isBeyond: Bool { chapter == .promisesAPlus && officialNumber == nil }

  /// The reason why Swift cannot express this official case; `nil` for a ported case.
  public var inexpressible: String? {
    if case .inexpressible(let reason) = content { reason } else { nil }
  }

  enum Content: Sendable {
    case body(@Sendable (Probe) throws -> Void)
    case inexpressible(reason: String)
  }

  /// Whether `selector` is the case's id, its clause, or a clause above its clause (`"2.3.3"`).
  public func matches(_ selector: String) -> Bool {
    selector == id || selector == clause || clause.hasPrefix(selector + ".")
  }
}
