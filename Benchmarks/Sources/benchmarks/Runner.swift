// Runs the rounds. In each round, every contender runs every workload once, so that disturbances affect all
// contenders alike.

import BenchmarkKit
import Foundation

struct Runner {
  let options: Options
  private(set) var results = Results()

  private struct Entry {
    let workload: Workload
    let contender: String
    let run: Run
    let count: Int
  }

  init(_ options: Options) { self.options = options }

  mutating func run() {
    let workloads = Workload.allCases.filter(options.wants)
    // An unmeasured round pages code in, starts the threads of pools and lets Node compile. Workloads in
    // separate processes warm up there, and W10 warms up in each round.
    for workload in workloads where !workload.isAlone && workload != .w10 {
      say("before the first round: \(workload.rawValue)")
      for entry in entries(workload) { _ = try? entry.run(entry.count) }
    }
    for round in 1...options.rounds {
      for workload in workloads {
        say("round \(round) of \(options.rounds): \(workload.rawValue)")
        measure(workload)
      }
    }
  }

  private func entries(_ workload: Workload) -> [Entry] {
    roster.filter { options.wants(contender: $0.name) }.flatMap { contender in
      workload.counts(quick: options.isQuick).compactMap { count in
        contender.runs[workload].map {
          Entry(workload: workload, contender: contender.name, run: $0, count: count)
        }
      }
    }
  }

  private mutating func measure(_ workload: Workload) {
    let entries = entries(workload)
    // Results are added before the shuffle, so that the tables have the roster's order.
    for entry in entries { update(entry) { _ in } }
    if workload == .w10 { return measurePairs(entries) }
    // Shuffled, so that no contender always suffers from the leftover threads of the same predecessor.
    for entry in entries.shuffled() where !hasFailed(entry) {
      do {
        let figures: Figures
        if workload.isAlone {
          figures = try Alone.measure(entry.contender, workload, entry.count)
        } else {
          _ = try entry.run(workload.warmUp(for: entry.count))
          figures = try entry.run(entry.count)
        }
        update(entry) { $0.add(figures) }
      } catch {
        update(entry) { $0.failure = "\(error)" }
      }
    }
  }

  private mutating func measurePairs(_ entries: [Entry]) {
    guard let count = entries.first?.count else { return }
    let runs = entries.map { (name: $0.contender, run: $0.run) }
    let figures = try? Pairs.measure(runs, slices: options.isQuick ? 5 : 15, count: count)
    for entry in entries { update(entry) { result in figures?[entry.contender].map { result.add($0) } } }
  }

  private func hasFailed(_ entry: Entry) -> Bool {
    results.of(entry.workload, entry.contender).contains { $0.count == entry.count && $0.failure != nil }
  }

  private mutating func update(_ entry: Entry, _ change: (inout Result) -> Void) {
    results.update(entry.workload, entry.contender, count: entry.count, change)
  }

  private func say(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}
