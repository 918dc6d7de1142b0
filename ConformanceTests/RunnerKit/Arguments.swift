/// What the command line of `conformance` asked for.
public struct Arguments: Equatable, Sendable {
  /// What is written to standard output, and for whom.
  public enum Format: String, CaseIterable, Sendable {
    case text, tap, json, junit
  }

  /// Whether the text report uses terminal colours.
  public enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never
  }

  /// Names of the contexts to run; empty means all of them.
  public var contexts: [String] = []
  /// Which cases to run.
  public var selection = Selection()
  /// How many times each chosen case runs on each chosen context.
  public var repeats = 1
  /// More rounds make no sense on a command line: the run would not see its end.
  static let mostRepeats = 1_000_000
  /// Print what would run instead of running it.
  public var list = false
  /// The report's format.
  public var format = Format.text
  /// One line per case in the text report, not only for those that need attention.
  public var verbose = false
  /// Seconds a case may wait for something before it counts as hanging. More than the suite's own default: a
  /// loaded machine is not to be mistaken for a hang.
  public var deadline = 20.0
  /// Whether the text report uses colours.
  public var color = ColorChoice.auto
  /// Print the help text and do nothing else.
  public var help = false

  /// Everything on every context, as text.
  public init() {}
}

/// A command line that cannot be carried out, and why; the process ends with status 64 (`EX_USAGE`).
public struct UsageError: Error, Equatable, CustomStringConvertible {
  /// What is wrong, in one sentence, naming the offending argument.
  public let description: String

  /// An error that says `description`.
  public init(_ description: String) {
    self.description = description
  }
}
