// Describes the machine of a run.

import BenchmarkKit
import Foundation

enum Circumstances {
  /// The circumstances on which figures depend, for the heading of a report.
  static func now(_ options: Options, seconds: Double, each: [Workload: Double]) -> Report.Circumstances {
    let arguments = CommandLine.arguments.dropFirst().joined(separator: " ")
    return Report.Circumstances(
      command: "swift run -c release --package-path Benchmarks benchmarks \(arguments)",
      rounds: options.rounds,
      facts: [
        (options.rounds == 1 ? "1 round" : "\(options.rounds) rounds")
          + ", medians; \(Text.number(seconds)) s in all",
        "of these " + took(each),
        "\(processor()), \(ProcessInfo.processInfo.activeProcessorCount) cores",
        ProcessInfo.processInfo.operatingSystemVersionString,
        said(by: ["swiftc", "--version"]) ?? "Swift",
        "SwiftNIO 2.101.2, OpenCombine 0.14.0"
          + (NodePromise.found == nil ? "" : ", Node \(said(by: ["node", "--version"]) ?? "")"),
      ])
  }

  /// The seconds of each workload, as text.
  private static func took(_ seconds: [Workload: Double]) -> String {
    Workload.allCases.compactMap { workload in
      seconds[workload].map { "\(workload.rawValue) \(Text.fixed($0, 0))" }
    }.joined(separator: ", ")
  }

  private static func processor() -> String {
    let info = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    for line in info.split(separator: "\n") where line.hasPrefix("model name") {
      return line.split(separator: ":").dropFirst().joined().trimmingCharacters(in: .whitespaces)
    }
    return "an unnamed processor"
  }

  /// The first line of a program's output.
  private static func said(by command: [String]) -> String? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text.split(separator: "\n").first.map(String.init)
  }
}
