import PromisesAPlusSuite

/// The command line of `conformance`.
public struct Arguments: Equatable, Sendable {
  /// The format of standard output.
  public enum Format: String, CaseIterable, Sendable {
    case text, tap, json, junit, html, badge
  }

  /// Whether the text report uses terminal colors.
  public enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never
  }

  /// The names of the contexts to run. An empty list means all contexts.
  public var contexts: [String] = []
  /// The clauses to run, with everything below them.
  public var clauses: [String] = []
  /// The cases to run, by id or by their number in the official suite.
  public var cases: [String] = []
  /// The number of runs of each chosen case on each chosen context.
  public var repeats = 1
  /// The highest number of runs. A run with more rounds would never end.
  static let mostRepeats = 1_000_000
  /// The number of random programs to run instead of the cases. `nil` means the cases; see ``programRun``.
  public var programs: Int?
  /// The seed of the first program.
  public var seed: UInt64?
  /// The part of the programs that runs.
  public var shard: ProgramRun.Shard?
  /// The number of threads that share the operations of one program.
  public var threads: Int?
  /// The highest number of threads. Each is a thread of the system.
  static let mostThreads = 64
  /// The JavaScript engine whose promises are tested instead.
  public var reference: String?
  /// Whether to print the plan instead of running it.
  public var list = false
  /// The report's format.
  public var format = Format.text
  /// Whether the text report has a line for every case, not only for cases with a message.
  public var verbose = false
  /// The seconds that a case may wait before it counts as hanging. The default is higher than the suite's,
  /// because a busy machine delays cases that do not hang.
  public var deadline = 20.0
  /// Whether the text report uses colors.
  public var color = ColorChoice.auto
  /// Whether to print the help text and do nothing else.
  public var help = false

  /// Creates the default: everything on every context, as text.
  public init() {}

  /// Whether the cases run.
  public var runsCases: Bool { programs == nil }

  /// Whether no clause and no case is chosen, which means all cases.
  public var choosesEveryCase: Bool { clauses.isEmpty && cases.isEmpty }

  /// The random programs to run. Without a requested number, there are 100,000, or 5,000 on an engine. These
  /// default programs run only if everything runs and the report is text or a page.
  public var programRun: ProgramRun? {
    if let programs {
      var run = ProgramRun(
        count: programs, seed: seed ?? 0, shard: shard ?? .whole, deadline: deadline)
      run.threads = threads ?? 1
      return run
    }
    let isEverything = contexts.isEmpty && choosesEveryCase && repeats == 1
    guard isEverything, [.text, .html].contains(format) else { return nil }
    return ProgramRun(count: reference == nil ? 100_000 : 5_000, deadline: deadline)
  }
}

/// An invalid command line, with the reason. The process ends with status 64 (`EX_USAGE`).
public struct UsageError: Error, Equatable, CustomStringConvertible {
  /// The reason in one sentence, with the invalid argument.
  public let description: String

  /// Creates an error with this description.
  public init(_ description: String) {
    self.description = description
  }
}
