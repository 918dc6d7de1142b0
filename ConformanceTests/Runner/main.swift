import DynamicPromise
import Foundation
import PromisesAPlusSuite
import RunnerKit

/// The destinations of the report and the messages.
enum Output {
  @Sendable static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
  @Sendable static func complain(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

// The cases lose hundreds of rejections on purpose.
Promise.onUnhandledRejection = nil

do {
  let arguments = try Arguments.parse(Array(CommandLine.arguments.dropFirst()))
  if arguments.help {
    Output.write(Help.text)
    exit(ExitStatus.asDeclared)
  }
  if let name = arguments.reference {
    let (text, agrees) = try Reference(name).run()
    Output.write(text)
    exit(agrees ? ExitStatus.asDeclared : ExitStatus.notAsDeclared)
  }
  let plan = try Plan(
    arguments, subjects: Matrix.subjects, cases: ConformanceSuite.cases + ConformanceSuite.chapters)
  if arguments.list {
    Output.write(plan.listing)
    exit(ExitStatus.asDeclared)
  }
  let driver = Driver(
    plan, arguments, terminal: .current(), write: Output.write, writeProgress: Output.complain)
  let programs = arguments.programRun.map { run in
    { @Sendable in
      let report = run.run(DynamicPromiseAdapter(route: .tree(nil)))
      Output.write("\(report)\n")
      return report.isSuccess ? ExitStatus.asDeclared : ExitStatus.notAsDeclared
    }
  }
  Service.run(arguments.runsCases ? driver : nil, programs: programs)
} catch {
  Output.complain("conformance: \(error)\nconformance --help lists the options\n")
  exit(ExitStatus.usage)
}
