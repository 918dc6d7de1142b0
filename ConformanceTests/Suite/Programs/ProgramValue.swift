/// A value of a program.
public final class ProgramValue: Sendable, CustomStringConvertible {
  let number: Int

  /// Creates the value with a number.
  public init(_ number: Int) { self.number = number }

  /// For example, `v3`.
  public var description: String { "v\(number)" }
}

/// An error of a program.
public final class ProgramError: Error, CustomStringConvertible {
  let number: Int

  /// Creates the error with a number.
  public init(_ number: Int) { self.number = number }

  /// For example, `e3`.
  public var description: String { "e\(number)" }
}
