import DynamicPromise
import Foundation
import PromisesAPlusSuite
import RunnerKit

/// The destinations of the report and the messages.
enum Output {
  /// Ends the process if the text cannot be written, for example on a full disk.
  @Sendable static func write(_ text: String) {
    do { try FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) } catch {
      complain("conformance: the report cannot be written: \(error.localizedDescription)\n")
      exit(ExitStatus.unwritable)
    }
  }

  /// Messages that cannot be written are dropped, because the report and the exit status have the results.
  @Sendable static func complain(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}

// The cases leave hundreds of rejections unhandled on purpose.
Promise.onUnhandledRejection = nil

do {
  let arguments = try Arguments.parse(Array(CommandLine.arguments.dropFirst()))
  if arguments.help {
    Output.write(Help.text)
    exit(ExitStatus.asDeclared)
  }
  Service.holdInterrupts()
  let reference = try arguments.reference.map { name in try Reference(name) }
  let subjects = reference.map { [$0.subject] } ?? Matrix.subjects
  let plan = try Plan(
    arguments, subjects: arguments.runsCases ? subjects : [],
    cases: ConformanceSuite.cases + ConformanceSuite.chapters)
  if arguments.list {
    Output.write(plan.listing)
    exit(ExitStatus.asDeclared)
  }
  let programs = arguments.programRun.map { run in
    { @Sendable recorder in
      reference?.run(run, recorder) ?? run.run(DynamicPromiseAdapter(route: .tree(nil)), recorder)
    }
  }
  Service.run(
    Driver(
      plan, arguments, programs: programs, terminal: .current(), write: Output.write,
      writeProgress: Output.complain))
} catch {
  Output.complain("conformance: \(error)\nconformance --help lists the options\n")
  exit(ExitStatus.usage)
}
