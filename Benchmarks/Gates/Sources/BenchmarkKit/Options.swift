/// The command line of `benchmarks`.
package struct Options: Sendable {
  package private(set) var isQuick = false
  private var workloads: [Workload] = []
  private var contenders: [String] = []
  private var givenRounds: Int?

  package var rounds: Int { givenRounds ?? (isQuick ? 1 : 7) }

  package func wants(_ workload: Workload) -> Bool { workloads.isEmpty || workloads.contains(workload) }

  package func wants(contender: String) -> Bool {
    contenders.isEmpty || contenders.contains { contender.lowercased().contains($0.lowercased()) }
  }

  /// `nil` if something is wrong.
  package init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--quick" {
        isQuick = true
        continue
      }
      guard let value = rest.popFirst() else { return nil }
      switch argument {
      case "--rounds":
        guard let rounds = Int(value), rounds > 0 else { return nil }
        givenRounds = rounds
      case "--workload":
        for name in value.split(separator: ",") {
          guard let workload = Workload(rawValue: String(name)) else { return nil }
          workloads.append(workload)
        }
      case "--contender": contenders.append(value)
      default: return nil
      }
    }
  }

  package static let help = """
    Measures the library beside its peers. In every round each contender runs each workload once; figures are
    medians over the rounds. Prints Markdown.

      benchmarks [--quick] [--rounds N] [--workload W1,W5r] [--contender NAME]

      --quick              one round with fewer steps: under a minute, and rough
      --rounds N           the default is 7
      --workload LIST      only these workloads
      --contender NAME     only contenders with NAME in their names; may be repeated

    """
}
