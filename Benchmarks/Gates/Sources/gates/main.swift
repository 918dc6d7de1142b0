// Counts figures that do not depend on the load of the machine.

import CAllocations
import DynamicPromise
import Foundation
import GateKit

let help = """
  Counts allocations and sizes, or makes steps for another program to count.

    gates allocations FILE            counts, and compares: exit 1 on a rise
    gates allocations --write FILE    replaces the file
    gates run WORKLOAD LANE COUNT     makes steps: W1 ... W6; immediate, stepped, toy
    gates run SHAPE immediate COUNT   makes handlers: then, catch, finally, two-handlers, ...

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

func checkAllocations(_ known: URL) {
  guard allocations_are_counted() != 0 else { fail("allocations can be counted with glibc only", status: 69) }
  let counted = Allocations.count()
  print(counted.text, terminator: "")
  do {
    let comparison = try Gate(text: String(contentsOf: known, encoding: .utf8)).compared(with: counted)
    for line in comparison.improvements { print("lower it in \(known.lastPathComponent): \(line)") }
    for line in comparison.failures { print("FAILED: \(line)") }
    if !comparison.failures.isEmpty { exit(1) }
    print("nothing has risen")
  } catch { fail("\(known.lastPathComponent): \(error)", status: 66) }
}

func writeAllocations(_ file: URL) {
  let head = """
    # Counted by `Benchmarks/allocations`, which fails when a figure rises and says when one can be lowered:
    #
    #   Benchmarks/allocations --write
    #

    """
  do { try (head + Allocations.count().text).write(to: file, atomically: true, encoding: .utf8) } catch {
    fail("\(error)", status: 73)
  }
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch (arguments.first, arguments.count) {
case ("run", 4) where Shape(rawValue: arguments[1]) != nil && arguments[2] == Lane.immediate.rawValue:
  guard let count = Int(arguments[3]), count > 0 else { fail("how many?", status: 64) }
  Shape(rawValue: arguments[1])?.use(count)
case ("run", 4):
  guard let step = Step(rawValue: arguments[1]), let lane = Lane(rawValue: arguments[2]),
    let count = Int(arguments[3]), count > 0
  else { fail("cannot run \(arguments.dropFirst().joined(separator: " "))", status: 64) }
  makeSteps(step, lane, count)
case ("allocations", 2): checkAllocations(URL(fileURLWithPath: arguments[1]))
case ("allocations", 3) where arguments[1] == "--write":
  writeAllocations(URL(fileURLWithPath: arguments[2]))
case ("--help", _): print(help, terminator: "")
default: fail("what to do? See --help", status: 64)
}
