import PromisesAPlusSuite

/// A named subject of the suite: DynamicPromise on one of its execution contexts.
struct Subject: Sendable {
  /// The name of the subject for `--context`.
  let name: String
  let summary: String
  private(set) var deviations: [Deviation]
  private let adapter, orderAdapter: @Sendable () -> any PromiseAdapter

  /// A subject that makes a new adapter for every run.
  ///
  /// The cases about the order of handlers may have a separate adapter, for a subject with a context whose
  /// scheduling cannot be logged. The separate adapter uses a similar context that can be logged.
  init(
    name: String, summary: String, deviations: [Deviation] = [],
    adapter: @escaping @Sendable () -> any PromiseAdapter,
    orderAdapter: (@Sendable () -> any PromiseAdapter)? = nil
  ) {
    (self.name, self.summary, self.deviations) = (name, summary, deviations)
    (self.adapter, self.orderAdapter) = (adapter, orderAdapter ?? adapter)
  }

  /// Returns the subject with further deviations.
  func deviating(_ more: [Deviation]) -> Subject {
    var copy = self
    copy.deviations += more
    return copy
  }

  /// Runs the cases in their order, on the calling thread, with a part of the rounds of each race.
  func run(_ cases: [ConformanceCase], deadline: Double, effort: Double, observer: (RunEvent) -> Void) {
    var rest = cases[...]
    while let first = rest.first {
      let stretch = rest.prefix { $0.observesOrder == first.observesOrder }
      rest = rest.dropFirst(stretch.count)
      var run = ConformanceRun(cases: Array(stretch), deviations: deviations, deadline: deadline)
      run.effort = effort
      let adapter = first.observesOrder ? orderAdapter() : adapter()
      _ = run.run(adapter, observer: observer)
    }
  }
}
