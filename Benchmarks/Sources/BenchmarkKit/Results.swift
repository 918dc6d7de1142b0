package struct Result: Sendable, Codable {
  package let workload: Workload
  package let contender: String
  package let count: Int
  /// The figures per step or promise, in the workload's unit.
  package var sample = Sample()
  /// Additional figures, by the names of `Part`.
  package var parts: [String: Sample] = [:]
  /// The process's peaks of resident memory, in KiB. Only for workloads with a separate process.
  package var peak = Sample()
  package var failure: String?

  package init(_ workload: Workload, _ contender: String, count: Int) {
    (self.workload, self.contender, self.count) = (workload, contender, count)
  }

  package subscript(part: Part) -> Sample { parts[part.rawValue] ?? Sample() }

  package mutating func add(_ measured: Figures) {
    sample.add(measured.figure)
    for (name, figure) in measured.parts { parts[name, default: Sample()].add(figure) }
    if let peak = measured.peak { self.peak.add(peak) }
  }
}

/// The result of one measurement. A child process prints it as JSON.
package struct Figures: Sendable, Equatable, Codable {
  /// The figure per step or promise, in the workload's unit.
  package var figure: Double
  package var parts: [String: Double] = [:]
  /// The peak of resident memory, in KiB.
  package var peak: Double?

  package init(_ figure: Double) { self.figure = figure }

  package subscript(part: Part) -> Double? {
    get { parts[part.rawValue] }
    set { parts[part.rawValue] = newValue }
  }
}

package struct Results: Sendable {
  package private(set) var all: [Result] = []

  package init() {}

  /// Adds a row unless it exists. Rows keep the order in which they were added.
  package mutating func list(_ workload: Workload, _ contender: String, count: Int) {
    update(workload, contender, count: count) { _ in }
  }

  /// Adds the figures of a round, and the row if it does not exist.
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
