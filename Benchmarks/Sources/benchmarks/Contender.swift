import BenchmarkKit
import CHeap
import Dispatch

/// Runs a workload with `count` steps and returns the total: nanoseconds, or bytes for W7. `time` and
/// `heapGrowth` measure. Code outside them is preparation and does not count.
typealias Run = @Sendable (_ count: Int) throws -> Double

/// Runs a workload with several figures, and returns the figures per step.
typealias DetailedRun = @Sendable (_ count: Int) throws -> Figures

/// A library or a system facility that is measured. Each has a file in `Contenders/` and a line in
/// `Roster.swift`.
protocol Contender: Sendable {
  var name: String { get }

  /// The workloads that the contender can run. Other workloads are missing from its rows.
  var runs: [Workload: Run] { get }

  /// The workloads with several figures: W13, W15a, W8, and W2 for comparison with W8.
  var detailed: [Workload: DetailedRun] { get }

  /// Whether the contender runs in another process, whose memory peak is not known.
  var isElsewhere: Bool { get }
}

extension Contender {
  var detailed: [Workload: DetailedRun] { [:] }
  var isElsewhere: Bool { false }

  /// The closure for `workload`, from `runs` or `detailed`.
  func run(_ workload: Workload) -> Run? {
    if let run = runs[workload] { return run }
    guard let run = detailed[workload] else { return nil }
    return { try run($0).figure * Double($0) }
  }
}

/// The nanoseconds that `body` takes. `body` returns when the last handler has run.
func time(_ body: () throws -> Void) rethrows -> Double {
  let begin = DispatchTime.now().uptimeNanoseconds
  try body()
  return Double(DispatchTime.now().uptimeNanoseconds - begin)
}

/// The nanoseconds per step for `build` and `end` together, and for `end` alone (`.ending`).
func timeChain<Built>(
  _ count: Int, build: () throws -> Built, end: (Built) throws -> Void
) rethrows -> Figures {
  let begin = DispatchTime.now().uptimeNanoseconds
  let built = try build()
  let middle = DispatchTime.now().uptimeNanoseconds
  try end(built)
  let last = DispatchTime.now().uptimeNanoseconds
  return Figures(
    Double(last - begin) / Double(count), [.ending: Double(last - middle) / Double(count)])
}

/// The bytes by which the heap grows during `count` calls of `make` whose results are kept. Earlier calls
/// exclude one-time allocations and reused memory from the figure.
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
