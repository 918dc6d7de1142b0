// Runs the rounds. In each round, every contender runs every workload once, so that disturbances affect all
// contenders alike.

import BenchmarkKit
import Dispatch

struct Runner {
  let options: Options
  private(set) var results = Results()
  /// The seconds that each workload took in all rounds.
  private(set) var seconds: [Workload: Double] = [:]

  private struct Entry {
    let workload: Workload
    let contender: any Contender
    let run: Run
    let count: Int
  }

  init(_ options: Options) { self.options = options }

  private var workloads: [Workload] { Workload.allCases.filter(options.wants) }

  private func entries(_ workload: Workload) -> [Entry] {
    roster.filter { options.wants(contender: $0.name) }.flatMap { contender in
      workload.counts(quick: options.isQuick).compactMap { count in
        contender.run(workload).map {
          Entry(workload: workload, contender: contender, run: $0, count: count)
        }
      }
    }
  }

  mutating func run() {
    // An unmeasured round pages code in, starts threads of pools and lets Node compile. Workloads in separate
    // processes warm up in those processes, and W10 warms up in each round.
    for workload in workloads where !workload.isAlone && workload != .w10 {
      timed(workload, "before the first round") { $0.warmUp(workload, isFirst: true) }
    }
    for round in 1...options.rounds {
      for workload in workloads {
        timed(workload, "round \(round) of \(options.rounds)") { $0.measure(workload, round) }
      }
    }
    Note.end()
  }

  private mutating func timed(_ workload: Workload, _ place: String, _ body: (inout Runner) -> Void) {
    Note.show("\(place): \(workload.rawValue)")
    let nanoseconds = time { body(&self) }
    seconds[workload, default: 0] += nanoseconds / 1e9
  }

  private func warmUp(_ workload: Workload, isFirst: Bool) {
    for entry in entries(workload) { warmUp(entry, isFirst: isFirst) }
  }

  private func warmUp(_ entry: Entry, isFirst: Bool) {
    let unmeasured = entry.workload.warmUp(for: entry.count, isFirst: isFirst)
    if unmeasured > 0 { _ = try? entry.run(unmeasured) }
  }

  private mutating func measure(_ workload: Workload, _ round: Int) {
    if workload == .w10 { return measurePairs() }
    let entries = entries(workload)
    // Rows are added before the shuffle, so that the tables have the roster's order.
    for entry in entries {
      results.update(workload, entry.contender.name, count: entry.count) { _ in }
    }
    for entry in Turns.shuffled(entries, round: round) {
      // A quick run starts separate processes in the first round only.
      let isOnce = workload.isMeasuredOnce(entry.count) || options.isQuick && workload.isAlone
      if round == 1 || !isOnce { measure(entry) }
    }
  }

  private mutating func measure(_ entry: Entry) {
    if hasFailed(entry) { return }
    note(
      entry,
      Swift.Result {
        if entry.workload.isAlone {
          return try Alone.measure(entry.contender.name, entry.workload, entry.count)
        }
        // A warm-up, so that leftover threads, caches and memory do not matter.
        warmUp(entry, isFirst: false)
        return Figures(try entry.run(entry.count) / Double(entry.count))
      })
  }

  private mutating func measurePairs() {
    let entries = entries(.w10).filter { !hasFailed($0) }
    guard let count = entries.first?.count else { return }
    let pairs = Pairs(ceiling: Machine.name, slices: Workload.slices(quick: options.isQuick), count: count)
    let outcomes = pairs.measure(entries.map { ($0.contender.name, $0.run) })
    for entry in entries {
      if let outcome = outcomes[entry.contender.name] { note(entry, outcome) }
    }
  }

  private func hasFailed(_ entry: Entry) -> Bool {
    results.all.contains {
      $0.workload == entry.workload && $0.contender == entry.contender.name && $0.failure != nil
    }
  }

  private mutating func note(_ entry: Entry, _ outcome: Swift.Result<Figures, any Error>) {
    results.update(entry.workload, entry.contender.name, count: entry.count) { result in
      switch outcome {
      case .success(let measured): result.add(measured)
      case .failure(let error): result.failure = "\(error)"
      }
    }
  }
}
