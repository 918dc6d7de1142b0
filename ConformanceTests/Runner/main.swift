import DynamicPromise
import PromisesAPlusSuite

// The cases leave hundreds of rejections unhandled on purpose.
Promise.onUnhandledRejection = nil

do {
  let arguments = try Arguments(parsing: Array(CommandLine.arguments.dropFirst()))
  if arguments.help {
    Service.write(Arguments.helpText)
    Service.end(ExitStatus.asDeclared)
  }
  Service.handleInterrupts()
  let reference = try arguments.reference.map { try Reference($0, whenItEnds: Service.engineEnded) }
  let subjects = reference.map { [$0.subject] } ?? Matrix.subjects
  let plan = try Plan(
    arguments, subjects: arguments.programs == nil ? subjects : [],
    cases: ConformanceSuite.cases + ConformanceSuite.chapters)
  let programs = arguments.programRuns.map { run -> Driver.Programs in
    { recorder in reference?.run(run, recorder) ?? run.run(DynamicPromiseAdapter(route: .tree(nil)), recorder)
    }
  }
  Service.run(
    Driver(
      plan, arguments, programs: programs, terminal: Terminal(), write: Service.write,
      writeProgress: Service.complain))
} catch {
  Service.complain("conformance: \(SafeText.line("\(error)"))\nconformance --help lists the options\n")
  Service.end(ExitStatus.usage)
}
