// The rounds: in each, every contender runs every workload once, so that whatever the machine does meanwhile hits all alike.

import BenchmarkKit
import Foundation

struct Runner {
  let options: Options
  var results = Results()

  /// One thing to measure.
  private struct Entry {
    let workload: Workload
    let contender: any Contender
    let run: Run
    let count: Int
  }

  init(_ options: Options) { self.options = options }

  private var entries: [Entry] {
    Workload.allCases.filter(options.wants).flatMap { workload in
      roster.filter { options.wants(contender: $0.name) }.flatMap { contender in
        workload.counts(quick: options.isQuick).compactMap { count in
          contender.runs[workload].map {
            Entry(workload: workload, contender: contender, run: $0, count: count)
          }
        }
      }
    }
  }

  mutating func run() {
    let entries = entries
    // A round that does not count: code is paged in, pools have threads, Node has compiled.
    for entry in entries where !entry.workload.isAlone { _ = try? entry.run(entry.count / 4) }
    for round in 1...options.rounds {
      Note.show("round \(round) of \(options.rounds)")
      // Quick means quick: processes of their own are not started over and over.
      for entry in entries where round == 1 || !(options.isQuick && entry.workload.isAlone) { measure(entry) }
    }
    Note.show("")
  }

  private mutating func measure(_ entry: Entry) {
    let known = results.result(entry.workload, entry.contender.name)
    if known?.failure != nil { return }
    var figure: Double?
    var peak: Double?
    var failure: String?
    do {
      if entry.workload == .w10 {
        figure = try Pair.speedup(entry.run, entry.count)
      } else if entry.workload.isAlone {
        let (total, kib) = try Alone.measure(entry.contender.name, entry.workload, entry.count)
        figure = total / Double(entry.count)
        peak = kib
      } else {
        figure = try entry.run(entry.count) / Double(entry.count)
      }
    } catch { failure = "\(error)" }
    results.update(entry.workload, entry.contender.name, count: entry.count) { result in
      if let figure { result.sample.add(figure) }
      if let peak { result.peak.add(peak) }
      result.failure = failure
    }
  }
}

/// W10: the same work on two threads.
enum Pair {
  static func speedup(_ run: @escaping Run, _ count: Int) throws -> Double {
    let errors = Errors()
    let alone = time {
      Helper.first.start { errors.note { _ = try run(count) } }
      Helper.first.join()
    }
    let together = time {
      Helper.first.start { errors.note { _ = try run(count) } }
      Helper.second.start { errors.note { _ = try run(count) } }
      Helper.first.join()
      Helper.second.join()
    }
    if let error = errors.first { throw error }
    return 2 * alone / together
  }

  private final class Errors: @unchecked Sendable {
    private let lock = NSLock()
    private(set) var first: (any Error)?

    func note(_ body: () throws -> Void) {
      do { try body() } catch { lock.withLock { first = first ?? error } }
    }
  }
}

/// A measurement in a process of its own: this program once more.
enum Alone {
  /// In seconds. What takes longer hangs.
  private static let deadline = 900.0

  static func measure(_ contender: String, _ workload: Workload, _ count: Int) throws -> (Double, Double) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    if let own = Bundle.main.executableURL { process.executableURL = own }
    process.arguments = ["--measure", contender, workload.rawValue, String(count)]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    // Who crashes need not explain himself frame by frame, a million frames deep.
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    try process.run()
    let watch = DispatchWorkItem { process.terminate() }
    DispatchQueue.global().asyncAfter(deadline: .now() + deadline, execute: watch)
    defer { watch.cancel() }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if process.terminationReason == .uncaughtSignal {
      if process.terminationStatus == SIGTERM { throw Failure("did not end") }
      throw Failure("signal \(process.terminationStatus)")
    }
    let figures = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard process.terminationStatus == 0, figures.count == 2 else {
      throw Failure(
        text.isEmpty ? "exit \(process.terminationStatus)" : text.trimmingCharacters(in: .newlines))
    }
    return (figures[0], figures[1])
  }
}

/// What is going on, on the terminal's error output, where it does not get into the tables.
enum Note {
  static func show(_ text: String) {
    guard isatty(2) == 1 else { return }
    FileHandle.standardError.write(Data("\r\u{1b}[K\(text)".utf8))
  }
}
