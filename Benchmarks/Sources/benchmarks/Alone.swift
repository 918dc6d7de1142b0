// A measurement in a separate process of this program.

import BenchmarkKit
import CHeap
import Foundation

enum Alone {
  /// The time limit in seconds. A longer measurement counts as a hang.
  private static let deadline = 900.0

  /// Runs `--measure`: a warm-up round, then a measured round. For W8, both rounds follow for W2, in the
  /// memory that the previous chain has freed.
  static func inThisProcess(_ contender: any Contender, _ workload: Workload, _ count: Int) throws -> Figures?
  {
    guard let run = contender.run(workload) else { return nil }
    let unmeasured = workload.warmUp(for: count, isFirst: true)
    if unmeasured > 0 { _ = try run(unmeasured) }
    var measured = try contender.detailed[workload]?(count) ?? Figures(try run(count) / Double(count))
    measured.peak = contender.isElsewhere ? nil : Double(peak_resident_kib())
    if measured.parts[.ending] != nil, let chain = contender.detailed[.w2] {
      _ = try chain(unmeasured)
      let other = try chain(count)
      measured.parts[.chain] = other.figure
      measured.parts[.chainEnding] = other.parts[.ending]
    }
    return measured
  }

  static func measure(_ contender: String, _ workload: Workload, _ count: Int) throws -> Figures {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    if let own = Bundle.main.executableURL { process.executableURL = own }
    process.arguments = ["--measure", contender, workload.rawValue, String(count)]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    // Disables backtraces, because the stack of a crash may be a million frames deep.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    try process.run()
    let watch = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + deadline, execute: watch)
    defer { watch.cancel() }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    if process.terminationReason == .uncaughtSignal {
      if process.terminationStatus == SIGTERM { throw Failure("did not end") }
      throw Failure("signal \(process.terminationStatus)")
    }
    guard process.terminationStatus == 0,
      let measured = try? JSONDecoder().decode(Figures.self, from: data)
    else {
      let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
      throw Failure(text.isEmpty ? "exit \(process.terminationStatus)" : text)
    }
    return measured
  }
}
