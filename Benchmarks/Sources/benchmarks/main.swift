// The program `benchmarks`. README.md explains how to add a contender.

import BenchmarkKit
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == Alone.option { Alone.answer(arguments) }
guard let options = Options(arguments), roster.contains(where: { options.wants(contender: $0.name) }) else {
  FileHandle.standardError.write(Data(Options.help.utf8))
  exit(64)
}

var runner = Runner(options)
let seconds = time { runner.run() }.total / 1e9
let facts = [
  "`swift run -c release --package-path Benchmarks benchmarks \(arguments.joined(separator: " "))`: "
    + "\(options.rounds) rounds, \(Text.number(seconds)) s",
  "\(processor()), \(ProcessInfo.processInfo.activeProcessorCount) cores, "
    + ProcessInfo.processInfo.operatingSystemVersionString,
]
print(Report(facts, runner.results, targets: Targets.all).markdown, terminator: "")

func processor() -> String {
  let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
  let line = info.split(separator: "\n").first { $0.hasPrefix("model name") } ?? ": unnamed processor"
  return line.split(separator: ":").last!.trimmingCharacters(in: .whitespaces)
}
