import BenchmarkKit
import Dispatch

/// Runs a workload with so many steps and returns what it took in all: nanoseconds, or bytes for W7. `time` and
/// `heapGrowth` measure; what stands outside of them is preparation and does not count.
typealias Run = @Sendable (_ count: Int) throws -> Double

/// Whoever is measured. One file in `Contenders/`, one line in `Roster.swift`.
protocol Contender: Sendable {
  /// As the tables show it.
  var name: String { get }

  /// What it can run. A workload that is missing here is left out of its rows.
  var runs: [Workload: Run] { get }
}

/// The nanoseconds that `body` takes. It returns when the last handler has run.
func time(_ body: () throws -> Void) rethrows -> Double {
  let begin = DispatchTime.now().uptimeNanoseconds
  try body()
  return Double(DispatchTime.now().uptimeNanoseconds - begin)
}

/// The bytes by which the heap grows while `make` is called `count` times and everything that it returns is kept.
func heapGrowth(_ count: Int, _ make: (Int) -> AnyObject) -> Double {
  var kept = ContiguousArray<AnyObject>()
  kept.reserveCapacity(count)
  let before = Heap.bytesInUse
  for index in 0..<count { kept.append(make(index)) }
  let after = Heap.bytesInUse
  withExtendedLifetime(kept) {}
  return Double(after - before)
}

/// What a contender says that could not do what a workload asks.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
