// Counts figures that do not depend on the load of the machine.

import BenchmarkKit
import CAllocations
import DynamicPromise
import Foundation
import GateKit

let help = """
  Counts allocations and sizes, or makes steps for another program to count.

    gates allocations                 prints lines `NAME: FIGURE`
    gates run WORKLOAD LANE COUNT     makes steps: W1 ... W6; immediate, stepped
    gates run SHAPE immediate COUNT   makes handlers: then, catch, finally, two-handlers, ...

  """

func fail(_ message: String, status: Int32) -> Never {
  FileHandle.standardError.write(Data("gates: \(message)\n".utf8))
  exit(status)
}

func makeSteps(_ step: Workload, _ lane: Lane, _ count: Int) {
  switch lane {
  case .immediate: step.run(count, on: .immediate) {}
  case .stepped:
    let context = SteppedContext(capacity: count)
    step.run(count, on: context) { context.drain() }
  }
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch (arguments.first, arguments.count) {
case ("run", 4):
  guard let lane = Lane(rawValue: arguments[2]), let count = Int(arguments[3]), count > 0 else { fallthrough }
  if let step = Workload.counted.first(where: { $0.rawValue == arguments[1] }) {
    makeSteps(step, lane, count)
  } else if let shape = Shape.all.first(where: { $0.name == arguments[1] }), lane == .immediate {
    shape.use(count)
  } else {
    fail("no such workload: \(arguments[1])", status: 64)
  }
case ("allocations", 1):
  guard allocations_are_counted() != 0 else { fail("allocations can be counted with glibc only", status: 69) }
  for (name, figure) in Allocations.count() { print("\(name): \(figure)") }
default:
  print(help, terminator: "")
  exit(arguments == ["--help"] ? 0 : 64)
}
