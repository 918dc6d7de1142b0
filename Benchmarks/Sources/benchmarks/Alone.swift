// A measurement in a separate process of this program.

import BenchmarkKit
import Foundation

enum Alone {
  /// `--measure CONTENDER WORKLOAD COUNT`: one measurement in this process, printed as JSON.
  static let option = "--measure"

  /// The time limit in seconds. A longer measurement counts as a hang.
  private static let deadline = 300.0

  /// What the separate process does.
  static func answer(_ arguments: [String]) -> Never {
    do {
      guard arguments.count == 4, let contender = roster.first(where: { $0.name == arguments[1] }),
        let workload = Workload(rawValue: arguments[2]), let run = contender.runs[workload],
        let count = Int(arguments[3])
      else { throw Failure("no such measurement") }
      let unmeasured = workload.warmUp(for: count)
      if unmeasured > 0 { _ = try run(unmeasured) }
      var figures = try run(count)
      if contender.name != "Node" { figures.parts[.peak] = peakOfMemory() }
      if workload == .w8a {
        // A shorter chain follows, in the memory that the deep one has freed.
        let short = count / 10
        figures.parts[.chain] = try run(short).total / Double(short)
      }
      print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
      exit(0)
    } catch {
      print(error)
      exit(1)
    }
  }

  /// The peak of resident memory in MiB, on Linux. Not from `getrusage`, whose maximum survives `exec`: a
  /// child would report its parent's peak.
  private static func peakOfMemory() -> Double? {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }.map {
      $0 / 1024
    }
  }

  static func measure(_ contender: String, _ workload: Workload, _ count: Int) throws -> Figures {
    let process = Process()
    let output = Pipe()
    process.executableURL = Bundle.main.executableURL
    process.arguments = [option, contender, workload.rawValue, String(count)]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    // Disables backtraces, because the stack of a crash may be a million frames deep.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    try process.run()
    DispatchQueue.global().asyncAfter(deadline: .now() + deadline) { process.terminate() }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationReason == .exit else { throw Failure("signal \(process.terminationStatus)") }
    guard process.terminationStatus == 0 else {
      throw Failure(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines))
    }
    return try JSONDecoder().decode(Figures.self, from: data)
  }
}
