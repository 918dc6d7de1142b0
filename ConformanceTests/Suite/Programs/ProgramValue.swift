/// A value of a program. Its text is, for example, `v3`.
final class ProgramValue: Sendable, CustomStringConvertible {
  let number: Int

  init(_ number: Int) { self.number = number }

  var description: String { "v\(number)" }
}

/// An error of a program. Its text is, for example, `e3`.
final class ProgramError: Error, CustomStringConvertible {
  let number: Int

  init(_ number: Int) { self.number = number }

  var description: String { "e\(number)" }
}
