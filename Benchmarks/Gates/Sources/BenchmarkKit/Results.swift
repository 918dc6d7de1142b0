/// What one measurement found.
package struct Figures: Sendable, Equatable, Codable {
  /// The figure of all steps together, in the workload's unit.
  package var total: Double
  /// Additional figures, in their own units.
  package var parts: [Part: Double]

  package init(_ total: Double, _ parts: [Part: Double] = [:]) { (self.total, self.parts) = (total, parts) }
}

/// The additional figures, in the order of their columns.
package enum Part: String, Sendable, CaseIterable, Codable, CodingKeyRepresentable {
  /// W8: the time of W2 with a tenth of the steps, in the same process.
  case chain = "W2 here"
  /// W10: the speedup as a multiple of the machine's speedup in the same slices.
  case ofCeiling = "x ceiling"
  /// W13: the time with this number of threads.
  case one = "1 thread"
  case two = "2 threads"
  case four = "4 threads"
  case eight = "8 threads"
  /// W13: the duration of the longest `then`.
  case stall = "longest stall ms"
  /// The peak of resident memory of a separate process.
  case peak = "peak MiB"
}

/// The figures of all rounds for one contender and one count.
package struct Result: Sendable {
  package let workload: Workload
  package let contender: String
  package let count: Int
  /// Figures per step or promise.
  package private(set) var sample = Sample()
  package private(set) var parts: [Part: Sample] = [:]
  /// Why the contender could not be measured.
  package var failure: String?

  package mutating func add(_ figures: Figures) {
    sample.add(figures.total / Double(count))
    for (part, figure) in figures.parts { parts[part, default: Sample()].add(figure) }
  }
}

package struct Results: Sendable {
  /// In the order in which they were added.
  package private(set) var all: [Result] = []

  package init() {}

  package func of(_ workload: Workload) -> [Result] { all.filter { $0.workload == workload } }

  /// The results of a contender, smallest count first.
  package func of(_ workload: Workload, _ contender: String) -> [Result] {
    of(workload).filter { $0.contender == contender }.sorted { $0.count < $1.count }
  }

  package func median(_ workload: Workload, _ contender: String) -> Double? {
    of(workload, contender).last?.sample.median
  }

  /// Changes a result, which is added if it does not exist.
  package mutating func update(
    _ workload: Workload, _ contender: String, count: Int, _ change: (inout Result) -> Void
  ) {
    let found = all.firstIndex {
      $0.workload == workload && $0.contender == contender && $0.count == count
    }
    if found == nil { all.append(Result(workload: workload, contender: contender, count: count)) }
    change(&all[found ?? all.count - 1])
  }
}
