/// The command line of `benchmarks`.
package struct Options: Sendable {
  package enum Action: Sendable {
    case measure
    case list
    case help
    /// One measurement in this process, for a process that the program starts itself.
    case measureOne(contender: String, workload: Workload, count: Int)
  }

  package private(set) var action = Action.measure
  package private(set) var isQuick = false
  private var workloads: [Workload] = []
  private var contenders: [String] = []
  private var givenRounds: Int?

  package var rounds: Int { givenRounds ?? (isQuick ? 1 : 7) }

  package func wants(_ workload: Workload) -> Bool { workloads.isEmpty || workloads.contains(workload) }

  package func wants(contender: String) -> Bool {
    contenders.isEmpty || contenders.contains { contender.lowercased().contains($0.lowercased()) }
  }

  package struct Mistake: Error { package let text: String }

  package init(_ arguments: some Collection<String>) throws {
    var rest = Array(arguments)[...]
    while let argument = rest.popFirst() {
      func value() throws -> String {
        guard let value = rest.popFirst() else { throw Mistake(text: "\(argument) needs a value") }
        return value
      }
      func count() throws -> Int {
        let text = try value()
        guard let number = Int(text), number > 0 else { throw Mistake(text: "not a count: \(text)") }
        return number
      }
      switch argument {
      case "--help", "-h": action = .help
      case "--list": action = .list
      case "--quick": isQuick = true
      case "--rounds": givenRounds = try count()
      case "--workload": workloads += try value().split(separator: ",").map(Self.workload)
      case "--contender": contenders.append(try value())
      case "--measure":
        action = .measureOne(
          contender: try value(), workload: try Self.workload(value()[...]), count: try count())
      default: throw Mistake(text: "unknown argument: \(argument)")
      }
    }
  }

  private static func workload(_ name: Substring) throws -> Workload {
    guard let found = Workload.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
      throw Mistake(text: "no such workload: \(name)")
    }
    return found
  }

  package static let help = """
    Measures the library beside its peers. In every round each contender runs each workload once; figures are
    medians over the rounds. Prints Markdown.

      benchmarks [--quick] [--rounds N] [--workload W1,W5r] [--contender NAME]

      --quick              one round with fewer steps: under a minute, and rough
      --rounds N           the default is 7
      --workload LIST      only these workloads
      --contender NAME     only contenders with NAME in their names; may be repeated
      --list               the contenders and the workloads that they run
      --measure CONTENDER WORKLOAD COUNT
                           one measurement in this process, as JSON

    """
}
