import BenchmarkKit
import CHeap
import Dispatch

/// Runs a workload with that many steps and returns the total: nanoseconds, or bytes for W7. `time` and
/// `heapGrowth` measure; code outside them is preparation and does not count.
typealias Run = @Sendable (_ count: Int) throws -> Double

typealias ChainRun = @Sendable (_ count: Int) throws -> ChainTime

/// Runs a workload of which more than one figure is wanted, and returns them per step.
typealias DetailedRun = @Sendable (_ count: Int) throws -> Figures

/// What is measured. One file in `Contenders/`, one line in `Roster.swift`.
protocol Contender: Sendable {
  var name: String { get }

  /// The workloads that it can run; others are missing from its rows.
  var runs: [Workload: Run] { get }

  /// W8, and W2 for comparison: chains whose building and ending are measured apart.
  var chains: [Workload: ChainRun] { get }

  /// W13, W15a: what is made of several measurements.
  var detailed: [Workload: DetailedRun] { get }

  /// Whether it runs in another process, so that its peak of memory is not known.
  var isElsewhere: Bool { get }
}

extension Contender {
  var chains: [Workload: ChainRun] { [:] }
  var detailed: [Workload: DetailedRun] { [:] }
  var isElsewhere: Bool { false }

  /// How `workload` is run. W8 is a matter of `chains`, and W2 among those is only for comparison.
  func run(_ workload: Workload) -> Run? {
    if let run = runs[workload] { return run }
    if let run = detailed[workload] { return { try run($0).figure * Double($0) } }
    guard let chain = chains[workload] else { return nil }
    return { try chain($0).total }
  }
}

struct ChainTime {
  /// From the first promise made until the chain has come to its end.
  var total: Double
  /// What of it was not building.
  var ending: Double
}

/// The nanoseconds that `body` takes. It returns when the last handler has run.
func time(_ body: () throws -> Void) rethrows -> Double {
  let begin = DispatchTime.now().uptimeNanoseconds
  try body()
  return Double(DispatchTime.now().uptimeNanoseconds - begin)
}

/// The nanoseconds that it takes to `build` a chain, and to `end` it.
func timeChain<Built>(
  build: () throws -> Built, end: (Built) throws -> Void
) rethrows -> ChainTime {
  let begin = DispatchTime.now().uptimeNanoseconds
  let built = try build()
  let middle = DispatchTime.now().uptimeNanoseconds
  try end(built)
  let last = DispatchTime.now().uptimeNanoseconds
  return ChainTime(total: Double(last - begin), ending: Double(last - middle))
}

/// The bytes by which the heap grows while `make` is called `count` times and everything that it returns is
/// kept. What is made once, and what takes the place of something that was freed, is not counted: some are
/// made before.
func heapGrowth(_ count: Int, _ make: (Int) -> AnyObject) -> Double {
  let first = 1000
  var kept = ContiguousArray<AnyObject>()
  kept.reserveCapacity(first + count)
  for index in 0..<first { kept.append(make(index)) }
  let before = heap_bytes_in_use()
  for index in 0..<count { kept.append(make(index)) }
  let after = heap_bytes_in_use()
  withExtendedLifetime(kept) {}
  return Double(after - before)
}

struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
