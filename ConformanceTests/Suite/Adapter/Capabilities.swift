/// The abilities of an implementation's types.
///
/// A case that needs a missing ability is reported as not expressible, with the reason. It never counts as
/// passed.
public struct Capabilities: OptionSet, Sendable {
  /// One bit per capability.
  public let rawValue: Int

  /// Makes a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Foreign thenables are recognized at run time (2.3.3).
  public static let thenables = Capabilities(rawValue: 1 << 0)
  /// A reason may be anything, not only an `Error`.
  public static let untypedReasons = Capabilities(rawValue: 1 << 1)
  /// A value may have any type, and may be `nil`. Otherwise, all values are instances of one class of the
  /// suite.
  public static let untypedValues = Capabilities(rawValue: 1 << 2)
  /// Either handler of `then` may be absent. Otherwise, the suite adds handlers that pass the value or reason
  /// on, and does not run the clauses on absent handlers (2.2.1, 2.2.7.3, 2.2.7.4).
  public static let absentHandlers = Capabilities(rawValue: 1 << 3)
  /// A handler may return a promise, which the promise of its `then` call then follows (2.3.2).
  public static let adoption = Capabilities(rawValue: 1 << 4)
  /// A handler may throw (2.2.7.2).
  public static let throwingHandlers = Capabilities(rawValue: 1 << 5)
  /// A pending promise can be resolved with a promise or thenable, not only a value.
  public static let resolve = Capabilities(rawValue: 1 << 6)

  /// All capabilities.
  public static let all = Capabilities(words.map(\.0))

  /// The name of each capability, for reports.
  static let words: [(Capabilities, String)] = [
    (.thenables, "foreign thenables"),
    (.untypedReasons, "reasons that are not errors"),
    (.untypedValues, "values of any type"),
    (.absentHandlers, "absent handlers"),
    (.adoption, "handlers that return promises"),
    (.throwingHandlers, "handlers that throw"),
    (.resolve, "resolving with something that is not a value"),
  ]

  /// The names of the capabilities, in a fixed order.
  public var names: [String] {
    Self.words.filter { contains($0.0) }.map(\.1)
  }
}
