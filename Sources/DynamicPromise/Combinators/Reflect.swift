// `reflect`: an outcome as a value, like bluebird's `reflect`.

extension Promise {
  /// Fulfilled with the outcome of this promise, a `Result<Any, any Error>`, as soon as this promise has
  /// settled. A rejection counts as handled, a cancellation included. Use it where work should continue.
  ///
  ///     let outcomes = Promise.map(names, concurrency: 3) { (name: String) in load(name).reflect() }
  ///
  /// The result is a root. Cancelling it withdraws.
  public func reflect() -> Promise {
    Collector.collect([self], on: nil, true, false, .reflect)
  }
}

extension CollectorRule {
  fileprivate static var reflect: CollectorRule {
    CollectorRule(name: "reflect") { inputs in .fulfilled(inputs[0].result) }
  }
}
