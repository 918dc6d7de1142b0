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

  /// Names of the contexts to run; empty means all of them.
  public var contexts: [String] = []
  /// Which cases to run.
  public var selection = Selection()
  /// The number of runs of each chosen case on each chosen context.
  public var repeats = 1
  /// A limit, because a run with more rounds would not end.
  static let mostRepeats = 1_000_000
  /// The number of random programs; they run instead of the cases. `nil` means those of a run of everything.
  public var programs: Int?
  /// The seed of the first program.
  public var seed: UInt64?
  /// The part of the programs that runs.
  public var shard: ProgramRun.Shard?
  /// The number of threads that share the operations of one program.
  public var threads: Int?
  /// A limit, because each is a thread of the system.
  static let mostThreads = 64
  /// The JavaScript engine on whose promises everything runs instead.
  public var reference: String?
  /// Print what would run instead of running it.
  public var list = false
  /// The report's format.
  public var format = Format.text
  /// One line per case in the text report, not only for cases with a message.
  public var verbose = false
  /// The seconds that a case may wait before it counts as hanging. More than the suite's default, because a
  /// busy machine is not a hang.
  public var deadline = 20.0
  /// Whether the text report uses colors.
  public var color = ColorChoice.auto
  /// Print the help text and do nothing else.
  public var help = false

  /// Everything on every context, as text.
  public init() {}

  /// Whether the cases run.
  public var runsCases: Bool { programs == nil }

  /// The random programs to run: those that were asked for, and in a run of everything, as text or a page,
  /// 100,000, or 5,000 on an engine.
  public var programRun: ProgramRun? {
    if let programs {
      var run = ProgramRun(
        count: programs, seed: seed ?? 0, shard: shard ?? .whole, deadline: deadline)
      run.threads = threads ?? 1
      return run
    }
    let isEverything = contexts.isEmpty && selection.isEverything && repeats == 1
    guard isEverything, [.text, .html].contains(format) else { return nil }
    return ProgramRun(count: reference == nil ? 100_000 : 5_000, deadline: deadline)
  }
}

/// An invalid command line, with the reason; the process ends with status 64 (`EX_USAGE`).
public struct UsageError: Error, Equatable, CustomStringConvertible {
  /// The reason in one sentence, with the invalid argument.
  public let description: String

  /// An error that says `description`.
  public init(_ description: String) {
    self.description = description
  }
}
