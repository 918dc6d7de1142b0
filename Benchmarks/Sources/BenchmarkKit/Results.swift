package struct Result: Sendable, Codable {
  package let workload: Workload
  package let contender: String
  package let count: Int
  /// The figures per step or promise, in the workload's unit.
  package var sample = Sample()
  /// Additional figures.
  package var parts: [Part: Sample] = [:]
  /// The process's peaks of resident memory, in KiB. Only for workloads with a separate process.
  package var peak = Sample()
  package var failure: String?

  package init(_ workload: Workload, _ contender: String, count: Int) {
    (self.workload, self.contender, self.count) = (workload, contender, count)
  }

  package mutating func add(_ measured: Figures) {
    sample.add(measured.figure)
    for (part, figure) in measured.parts { parts[part, default: Sample()].add(figure) }
    if let peak = measured.peak { self.peak.add(peak) }
  }
}

/// The result of one measurement. A child process prints it as JSON.
package struct Figures: Sendable, Equatable, Codable {
  /// The figure per step or promise, in the workload's unit.
  package var figure: Double
  package var parts: [Part: Double]
  /// The peak of resident memory, in KiB.
  package var peak: Double?

  package init(_ figure: Double, _ parts: [Part: Double] = [:]) {
    (self.figure, self.parts) = (figure, parts)
  }
}

package struct Results: Sendable {
  package private(set) var all: [Result] = []

  package init() {}

  /// Changes a row, and adds it if it does not exist. Rows keep the order in which they were added.
  package mutating func update(
    _ workload: Workload, _ contender: String, count: Int, _ change: (inout Result) -> Void
  ) {
    if let index = all.firstIndex(where: {
      $0.workload == workload && $0.contender == contender && $0.count == count
    }) {
      change(&all[index])
    } else {
      var result = Result(workload, contender, count: count)
      change(&result)
      all.append(result)
    }
  }

  package func result(_ workload: Workload, _ contender: String, smallest: Bool = false) -> Result? {
    let found = all.filter { $0.workload == workload && $0.contender == contender }
    return smallest ? found.min { $0.count < $1.count } : found.max { $0.count < $1.count }
  }

  package func median(_ workload: Workload, _ contender: String) -> Double? {
    result(workload, contender)?.sample.median
  }
}
