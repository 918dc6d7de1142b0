// W10: the same work on two threads, in slices.

import BenchmarkKit
import Foundation

/// A round consists of many short slices, because a shared machine provides its second processor only at
/// times. In each slice, every contender runs on one thread and on two threads. The speedup is compared with
/// the machine's ceiling in the same slice. Medians of these ratios ignore disturbed slices.
struct Pairs {
  let ceiling: String
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
        return (name, .success(measurement(speedups[name] ?? [], speedups[ceiling] ?? [])))
      })
  }

  private func measurement(_ own: [Double], _ ceiling: [Double]) -> Figures {
    let sample = Sample(own)
    var measured = Figures(sample.median ?? 0)
    measured[.low] = sample.quantile(0.1)
    measured[.high] = sample.quantile(0.9)
    if ceiling.count == own.count {
      measured[.ofCeiling] = Sample(zip(own, ceiling).map { $1 > 0 ? $0 / $1 : 0 }).median
    }
    return measured
  }

  /// The nanoseconds for the work of both threads, one after the other. Measures on both threads, because
  /// their speeds differ.
  private static func alone(_ run: @escaping Run, _ count: Int) throws -> Double {
    let errors = Errors()
    var sum = 0.0
    for helper in [Helper.first, .second] {
      let watch = Watch()
      helper.start { watch.time { errors.note { _ = try run(count) } } }
      helper.join()
      sum += Double(watch.end - watch.begin)
    }
    if let error = errors.first { throw error }
    return sum
  }

  /// The nanoseconds for the same work on both threads at once, from the common start until the later thread
  /// has ended.
  private static func together(_ run: @escaping Run, _ count: Int) throws -> Double {
    let errors = Errors()
    let start = Start()
    let watches = [Watch(), Watch()]
    Helper.first.start {
      start.lead()
      watches[0].time { errors.note { _ = try run(count) } }
    }
    Helper.second.start {
      start.follow()
      watches[1].time { errors.note { _ = try run(count) } }
    }
    Helper.first.join()
    Helper.second.join()
    if let error = errors.first { throw error }
    let begin = min(watches[0].begin, watches[1].begin)
    return Double(max(watches[0].end, watches[1].end) - begin)
  }

  /// One thread writes the times. Another thread waits for the first thread, and then reads them.
  private final class Watch: @unchecked Sendable {
    private(set) var begin: UInt64 = 0
    private(set) var end: UInt64 = 0

    func time(_ body: () -> Void) {
      begin = DispatchTime.now().uptimeNanoseconds
      body()
      end = DispatchTime.now().uptimeNanoseconds
    }
  }

  private final class Errors: @unchecked Sendable {
    private let lock = NSLock()
    private(set) var first: (any Error)?

    func note(_ body: () throws -> Void) {
      do { try body() } catch { lock.withLock { first = first ?? error } }
    }
  }
}
