/// What a combinator waits for: each input as a promise, so that there is one kind of them only.
struct Inputs {
  private(set) var promises: [Promise]
  /// The first that came as a promise.
  private(set) var first: Promise?

  /// Reads the inputs, then calls the thenables among them in order.
  init<Elements: Sequence>(_ elements: Elements, _ agenda: inout Agenda) {
    if Elements.self == [Promise].self {
      promises = elements as! [Promise]
      first = promises.first
      return
    }
    promises = []
    promises.reserveCapacity(elements.underestimatedCount)
    var thenables: [(Promise, any Thenable)] = []
    for element in elements {
      switch Fact(erased(element)) {
      case .promise(let input):
        if first == nil { first = input }
        promises.append(input)
      case .value(let value):
        promises.append(.settled(State.fulfilled, Store(value: value)))
      case .error(let reason):
        promises.append(.settled(State.rejected | State.observed, Store(reason: reason)))
      case .thenable(let thenable):
        let input = Promise()
        thenables.append((input, thenable))
        promises.append(input)
      }
    }
    for (input, thenable) in thenables { input.resolve(with: thenable, &agenda) }
  }
}

extension Promise {
  /// A root that was never pending, and has no handlers to come.
  fileprivate static func settled(_ bits: UInt, _ outcome: Store) -> Promise {
    Promise(bits: bits, store: outcome, up: .none, context: .immediate, defaultContext: .immediate)
  }
}
