// Counts what does not depend on the machine's mood.

import DynamicPromise
import Foundation
import GateKit

let help = """
  Counts allocations and sizes, or makes steps for somebody else to count.

    gates allocations [FILE]          counts; with FILE, compares: exit 1 on a rise
    gates allocations --write FILE    writes the file anew
    gates run WORKLOAD LANE COUNT     makes steps: W1 ... W6; immediate, stepped, toy

  """

func fail(_ message: String, status: Int32) -> Never {
  FileHandle.standardError.write(Data("gates: \(message)\n".utf8))
  exit(status)
}

func makeSteps(_ step: Step, _ lane: Lane, _ count: Int) {
  switch lane {
  case .immediate: step.run(count, on: .immediate) {}
  case .toy: step.runToy(count)
  case .stepped:
    let context = SteppedContext(capacity: count)
    step.run(count, on: context) { context.drain() }
  }
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "run" where arguments.count == 4:
  guard let step = Step(rawValue: arguments[1]), let lane = Lane(rawValue: arguments[2]),
    let count = Int(arguments[3]), count > 0
  else { fail("cannot run \(arguments.dropFirst().joined(separator: " "))", status: 64) }
  makeSteps(step, lane, count)
case "--help": print(help, terminator: "")
default: fail("what to do? See --help", status: 64)
}
