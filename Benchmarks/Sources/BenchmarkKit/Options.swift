package struct Options: Sendable, Equatable {
  package enum Output: Sendable, Equatable { case table, markdown, json }

  package enum Action: Sendable, Equatable {
    case measure
    /// One measurement in this process: `--measure CONTENDER WORKLOAD COUNT`.
    ///
    /// `COUNT` may be `full` or `quick`: the count of a full run or of a quick run.
    case measureOne(contender: String, workload: Workload, count: Int)
    case list
    case help
  }

  package var action = Action.measure
  package var output = Output.table
  package var isQuick = false
  /// The selected workloads; empty for all workloads.
  package var workloads: [Workload] = []
  /// Parts of the selected contenders' names; empty for all contenders.
  package var contenders: [String] = []
  package var givenRounds: Int?

  package var rounds: Int { givenRounds ?? (isQuick ? 3 : 7) }

  package init() {}

  package struct Mistake: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
  }

  package init(_ arguments: some Collection<String>) throws {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      func value() throws -> String {
        guard let value = rest.popFirst() else { throw Mistake("\(argument) needs a value") }
        return value
      }
      switch argument {
      case "--help", "-h": action = .help
      case "--list": action = .list
      case "--quick": isQuick = true
      case "--json": output = .json
      case "--markdown": output = .markdown
      case "--workload", "--workloads": workloads += try Self.workloads(in: value())
      case "--contender": contenders.append(try value())
      case "--rounds": givenRounds = try Self.positive(value(), "--rounds")
      case "--measure":
        let contender = try value()
        let names = try Self.workloads(in: value())
        guard names.count == 1 else { throw Mistake("--measure takes a single workload") }
        action = .measureOne(
          contender: contender, workload: names[0], count: try Self.count(value(), of: names[0]))
      default: throw Mistake("unknown argument: \(argument)")
      }
    }
  }

  private static func positive(_ text: String, _ option: String) throws -> Int {
    guard let number = Int(text), number > 0 else { throw Mistake("\(option): not a count: \(text)") }
    return number
  }

  private static func count(_ text: String, of workload: Workload) throws -> Int {
    guard text == "full" || text == "quick" else { return try positive(text, "--measure") }
    // Skips counts that are measured only once, because they take too long for a default.
    return workload.counts(quick: text == "quick").last { !workload.isMeasuredOnce($0) } ?? 1
  }

  private static func workloads(in list: String) throws -> [Workload] {
    try list.split(separator: ",", omittingEmptySubsequences: false).flatMap { name in
      let found = Workload.named(String(name))
      guard !found.isEmpty else { throw Mistake("no such workload: \(name)") }
      return found
    }
  }

  package func wants(_ workload: Workload) -> Bool { workloads.isEmpty || workloads.contains(workload) }

  package func wants(contender: String) -> Bool {
    contenders.isEmpty || contenders.contains { contender.lowercased().contains($0.lowercased()) }
  }

  package static let help = """
    The library beside its peers. Every round measures each contender once; figures are medians
    over the rounds.

      benchmarks [--quick] [--rounds N] [--workload W1,W2] [--contender NAME] [--json | --markdown]

      --quick            fewer steps and rounds: under a minute, and rough
      --rounds N         the default is 7 (3 with --quick)
      --workload LIST    W1 ... W15, W5r, separated by commas; W8 means W8a, W8b and W8c
      --contender NAME   those with NAME in their names; may be repeated; targets need their peers too
      --json             all results, for programs
      --markdown         tables for docs/benchmarks-figures.md
      --list             the contenders and what they can run
      --measure CONTENDER WORKLOAD COUNT
                         one measurement in this process, after a round that does not count; as JSON:
                         per step, with the peak of resident memory in KiB. COUNT is a number,
                         `full` or `quick`

    Exit status: 0; 1 where --measure fails; 64 for an invalid command line.

    """
}
