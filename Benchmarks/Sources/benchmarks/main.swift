// The program `benchmarks`. `--help` lists its options, and README.md explains how to add a contender.

import BenchmarkKit
import Foundation

func fail(_ message: String, status: Int32) -> Never {
  FileHandle.standardError.write(Data("benchmarks: \(message)\n".utf8))
  exit(status)
}

func measureOne(_ name: String, _ workload: Workload, _ count: Int) {
  guard let contender = roster.first(where: { $0.name == name }) else {
    fail("no such contender: \(name)", status: 64)
  }
  do {
    let figures = try Alone.inThisProcess(contender, workload, count)
    print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
  } catch {
    print(error)
    exit(1)
  }
}

func measure(_ options: Options) {
  guard roster.contains(where: { options.wants(contender: $0.name) }) else {
    fail("no contender has such a name", status: 64)
  }
  var runner = Runner(options)
  let seconds = time { runner.run() }.total / 1e9
  let command = (["benchmarks"] + CommandLine.arguments.dropFirst()).joined(separator: " ")
  let facts = [
    "`swift run -c release --package-path Benchmarks \(command)`: \(options.rounds) rounds, "
      + "\(Text.number(seconds)) s",
    "\(processor()), \(ProcessInfo.processInfo.activeProcessorCount) cores, "
      + ProcessInfo.processInfo.operatingSystemVersionString,
  ]
  print(Report(facts, runner.results, targets: Targets.all).markdown, terminator: "")
}

func processor() -> String {
  let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
  let line = info.split(separator: "\n").first { $0.hasPrefix("model name") } ?? ": unnamed processor"
  return line.split(separator: ":").last!.trimmingCharacters(in: .whitespaces)
}

do {
  let options = try Options(CommandLine.arguments.dropFirst())
  switch options.action {
  case .help: print(Options.help, terminator: "")
  case .list:
    for contender in roster {
      let able = Workload.allCases.filter { contender.runs[$0] != nil }.map(\.rawValue)
      print("\(contender.name): \(able.joined(separator: " "))")
    }
  case .measureOne(let contender, let workload, let count): measureOne(contender, workload, count)
  case .measure: measure(options)
  }
} catch let mistake as Options.Mistake {
  fail("\(mistake.text); see --help", status: 64)
}
