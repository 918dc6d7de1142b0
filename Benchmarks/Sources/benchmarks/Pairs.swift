// W10: the same work on two threads, in slices.

import BenchmarkKit
import Dispatch

/// A round consists of many short slices, because a shared machine provides its second processor only at
/// times. In each slice, every contender runs on one thread and on two threads. The speedup is compared with
/// the machine's ceiling in the same slice. Medians of these ratios ignore disturbed slices.
enum Pairs {
  /// - Parameter count: The steps of a slice, on each thread.
  static func measure(_ runs: [(name: String, run: Run)], slices: Int, count: Int) throws -> [String: Figures]
  {
    var speedups: [String: [Double]] = [:]
    for (_, run) in runs { _ = try together(run, max(1, count / 10)) }
    for slice in 0..<slices {
      for (name, run) in runs {
        // The runs on one thread and on two threads take turns to be first.
        let early = slice % 2 == 0 ? try alone(run, count) : 0
        let both = try together(run, count)
        speedups[name, default: []].append((slice % 2 == 0 ? early : try alone(run, count)) / both)
      }
    }
    let ceiling = speedups[Machine.contender.name]
    return speedups.mapValues { own in
      var figures = Figures((Sample(own).median ?? 0) * Double(count))
      if let ceiling { figures.parts[.ofCeiling] = Sample(zip(own, ceiling).map { $0 / $1 }).median }
      return figures
    }
  }

  /// The nanoseconds for the work of both threads, one after the other, because their speeds differ.
  private static func alone(_ run: @escaping Run, _ count: Int) throws -> Double {
    try [Helper.first, .second].reduce(0) { sum, helper in
      let lap = Lap()
      helper.start { lap.measure(run, count) }
      helper.join()
      return sum + Double(try lap.end.get() - lap.begin)
    }
  }

  /// The nanoseconds for the same work on both threads at once, until the later thread has ended.
  private static func together(_ run: @escaping Run, _ count: Int) throws -> Double {
    let (start, first, second) = (Start(), Lap(), Lap())
    Helper.first.start {
      start.arrive(isFirst: true)
      first.measure(run, count)
    }
    Helper.second.start {
      start.arrive(isFirst: false)
      second.measure(run, count)
    }
    Helper.first.join()
    Helper.second.join()
    return Double(max(try first.end.get(), try second.end.get()) - min(first.begin, second.begin))
  }

  /// One run on one thread. Another thread reads the times afterwards.
  private final class Lap {
    private(set) var begin: UInt64 = 0
    private(set) var end = Swift.Result<UInt64, any Error>.success(0)

    func measure(_ run: Run, _ count: Int) {
      begin = DispatchTime.now().uptimeNanoseconds
      end = Swift.Result {
        _ = try run(count)
        return DispatchTime.now().uptimeNanoseconds
      }
    }
  }
}
