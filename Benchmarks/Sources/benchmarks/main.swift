// The program `benchmarks`. `--help` lists its options, and README.md explains how to add a contender.

import BenchmarkKit
import Foundation

func fail(_ message: String, status: Int32) -> Never {
  FileHandle.standardError.write(Data("benchmarks: \(message)\n".utf8))
  exit(status)
}

func contender(named name: String) -> any Contender {
  guard let found = roster.first(where: { $0.name.lowercased() == name.lowercased() }) else {
    fail("no such contender: \(name)", status: 64)
  }
  return found
}

func measureOne(_ name: String, _ workload: Workload, _ count: Int) -> Never {
  do {
    guard let measured = try Alone.inThisProcess(contender(named: name), workload, count) else {
      fail("\(name) does not run \(workload.rawValue)", status: 64)
    }
    print(String(decoding: try JSONEncoder().encode(measured), as: UTF8.self))
    exit(0)
  } catch {
    print(error)
    exit(1)
  }
}

func measure(_ options: Options) {
  for name in options.contenders
  where !roster.contains(where: { $0.name.lowercased().contains(name.lowercased()) }) {
    fail("no contender has \"\(name)\" in its name", status: 64)
  }
  var runner = Runner(options)
  let begin = DispatchTime.now().uptimeNanoseconds
  runner.run()
  let seconds = Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9
  let report = Report(
    Circumstances.now(options, seconds: seconds, each: runner.seconds), runner.results, targets: Targets.all)
  switch options.output {
  case .table: print(report.table(), terminator: "")
  case .markdown: print(report.markdown(), terminator: "")
  case .json:
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    print(String(decoding: try! encoder.encode(report), as: UTF8.self))
  }
}

do {
  let options = try Options(CommandLine.arguments.dropFirst())
  switch options.action {
  case .help: print(Options.help, terminator: "")
  case .list:
    for contender in roster {
      let able = Workload.allCases.filter { contender.run($0) != nil }.map(\.rawValue)
      print("\(Text.padded(contender.name, 26)) \(able.joined(separator: " "))")
    }
  case .measureOne(let contender, let workload, let count): measureOne(contender, workload, count)
  case .measure: measure(options)
  }
} catch let mistake as Options.Mistake {
  fail("\(mistake); see --help", status: 64)
}
