// W10: the same work on two threads, in slices.

import BenchmarkKit
import Dispatch

/// A round consists of many short slices, because a shared machine provides its second processor only at
/// times. In each slice, every contender runs on one thread and on two threads. The speedup is compared with
/// the machine's ceiling in the same slice. Medians of these ratios ignore disturbed slices.
struct Pairs {
  let slices: Int
  /// The steps of a slice, on each thread.
  let count: Int

  /// The result of a round for one contender: figures or an error.
  typealias Outcome = Swift.Result<Figures, any Error>

  func measure(_ runs: [(name: String, run: Run)]) -> [String: Outcome] {
    var errors: [String: any Error] = [:]
    var speedups: [String: [Double]] = [:]
    for (name, run) in runs {
      do { _ = try Self.together(run, max(1, count / 10)) } catch { errors[name] = error }
    }
    for slice in 0..<slices {
      for (name, run) in runs where errors[name] == nil {
        do {
          // The runs on one thread and on two threads take turns to be first.
          let isAloneFirst = slice % 2 == 0
          let early = isAloneFirst ? try Self.alone(run, count) : 0
          let together = try Self.together(run, count)
          let alone = isAloneFirst ? early : try Self.alone(run, count)
          speedups[name, default: []].append(together > 0 ? alone / together : 0)
        } catch { errors[name] = error }
      }
    }
    return Dictionary(
      uniqueKeysWithValues: runs.map { name, _ in
        if let error = errors[name] { return (name, .failure(error)) }
        return (name, .success(measurement(speedups[name] ?? [], speedups[Machine.name] ?? [])))
      })
  }

  private func measurement(_ own: [Double], _ ceiling: [Double]) -> Figures {
    let sample = Sample(own)
    var measured = Figures((sample.median ?? 0) * Double(count))
    measured.parts[.low] = sample.quantile(0.1)
    measured.parts[.high] = sample.quantile(0.9)
    if ceiling.count == own.count {
      measured.parts[.ofCeiling] = Sample(zip(own, ceiling).map { $1 > 0 ? $0 / $1 : 0 }).median
    }
    return measured
  }

  /// The nanoseconds for the work of both threads, one after the other. Measures on both threads, because
  /// their speeds differ.
  private static func alone(_ run: @escaping Run, _ count: Int) throws -> Double {
    try [Helper.first, .second].reduce(0) { sum, helper in
      let lap = Lap(run, count)
      helper.start(lap.work)
      helper.join()
      return sum + Double(try lap.end() - lap.begin)
    }
  }

  /// The nanoseconds for the same work on both threads at once, from the common start until the later thread
  /// has ended.
  private static func together(_ run: @escaping Run, _ count: Int) throws -> Double {
    let (start, first, second) = (Start(), Lap(run, count), Lap(run, count))
    Helper.first.start {
      start.lead()
      first.work()
    }
    Helper.second.start {
      start.follow()
      second.work()
    }
    Helper.first.join()
    Helper.second.join()
    return Double(max(try first.end(), try second.end()) - min(first.begin, second.begin))
  }

  /// One run on one thread. Another thread waits for the first thread, and then reads the times.
  private final class Lap: @unchecked Sendable {
    private let run: Run
    private let count: Int
    private(set) var begin: UInt64 = 0
    private var outcome = Swift.Result<UInt64, any Error>.success(0)

    init(_ run: @escaping Run, _ count: Int) { (self.run, self.count) = (run, count) }

    func work() {
      begin = DispatchTime.now().uptimeNanoseconds
      outcome = Swift.Result {
        _ = try run(count)
        return DispatchTime.now().uptimeNanoseconds
      }
    }

    /// The time when the run has ended; throws the run's error.
    func end() throws -> UInt64 { try outcome.get() }
  }
}
