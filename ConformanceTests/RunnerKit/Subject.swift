import PromisesAPlusSuite

/// A named subject of the suite: DynamicPromise on one of its execution contexts.
public struct Subject: Sendable {
  /// The name of the subject for `--context`.
  public let name: String
  /// A one-line description.
  public let summary: String
  /// The known deviations.
  public private(set) var deviations: [Deviation]
  private let runs: @Sendable ([ConformanceCase], ConformanceRun, (RunEvent) -> Void) -> Void

  /// A subject that makes a new adapter for every run.
  ///
  /// - Parameters:
  ///   - name: Lower case, without spaces.
  ///   - summary: A one-line description.
  ///   - deviations: The known deviations, with reasons.
  ///   - adapter: Makes the adapter.
  public init(
    name: String, summary: String, deviations: [Deviation] = [],
    adapter: @escaping @Sendable () -> some PromiseAdapter
  ) {
    self.init(
      name: name, summary: summary, deviations: deviations, adapter: adapter, orderAdapter: adapter)
  }

  /// A subject with a separate adapter for the cases about the order of handlers. The subject's context may
  /// have scheduling that cannot be logged. The separate adapter then uses a similar context that can be
  /// logged.
  ///
  /// - Parameters:
  ///   - name: Lower case, without spaces.
  ///   - summary: A one-line description.
  ///   - deviations: The known deviations, with reasons.
  ///   - adapter: Makes the adapter.
  ///   - orderAdapter: Makes the adapter for the cases about order.
  public init(
    name: String, summary: String, deviations: [Deviation] = [],
    adapter: @escaping @Sendable () -> some PromiseAdapter,
    orderAdapter: @escaping @Sendable () -> some PromiseAdapter
  ) {
    self.name = name
    self.summary = summary
    self.deviations = deviations
    runs = { cases, run, observer in
      var rest = cases[...]
      while let first = rest.first {
        let stretch = rest.prefix { $0.observesOrder == first.observesOrder }
        rest = rest.dropFirst(stretch.count)
        var part = run
        part.cases = Array(stretch)
        if first.observesOrder {
          _ = part.run(orderAdapter(), observer: observer)
        } else {
          _ = part.run(adapter(), observer: observer)
        }
      }
    }
  }

  /// Returns the subject with further deviations.
  public func deviating(_ more: [Deviation]) -> Subject {
    var copy = self
    copy.deviations += more
    return copy
  }

  /// Runs the cases in their order, on the calling thread.
  func run(_ cases: [ConformanceCase], deadline: Double, observer: (RunEvent) -> Void) {
    runs(cases, ConformanceRun(cases: [], deviations: deviations, deadline: deadline), observer)
  }
}
