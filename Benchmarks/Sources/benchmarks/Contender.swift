import BenchmarkKit
import CHeap
import Dispatch

/// Runs `count` steps of a workload. `time` and `heapGrowth` measure; code outside them is preparation, which
/// does not count.
typealias Run = @Sendable (_ count: Int) throws -> Figures

/// A library or a system facility that is measured, in a file of `Contenders/`.
struct Contender: Sendable {
  let name: String
  /// The workloads that the contender can run.
  let runs: [Workload: Run]

  init(_ name: String, _ runs: [Workload: Run]) { (self.name, self.runs) = (name, runs) }
}

/// All contenders, in the order of the tables.
let roster: [Contender] =
  dynamicPromises + toys + swiftNIOs + [openCombine, swiftTasks] + rawDispatches + [Machine.contender]
  + (Node.contender.map { [$0] } ?? [])

/// The nanoseconds that `body` takes. `body` returns when the last handler has run.
func time(_ body: () throws -> Void) rethrows -> Figures {
  let begin = DispatchTime.now().uptimeNanoseconds
  try body()
  return Figures(Double(DispatchTime.now().uptimeNanoseconds - begin))
}

/// The bytes by which the heap grows during `count` calls of `make` whose results are kept. Earlier calls
/// exclude one-time allocations and reused memory from the figure.
func heapGrowth(_ count: Int, _ make: (Int) -> AnyObject) -> Figures {
  let first = 1000
  var kept = ContiguousArray<AnyObject>()
  kept.reserveCapacity(first + count)
  for index in 0..<first { kept.append(make(index)) }
  let before = heap_bytes_in_use()
  for index in 0..<count { kept.append(make(index)) }
  let after = heap_bytes_in_use()
  withExtendedLifetime(kept) {}
  return Figures(Double(after - before))
}

struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
