/// The inputs of a combinator, each as a promise. The context of promises that are made for other inputs does
/// not matter, because only the combinator observes them.
struct Inputs {
  private(set) var promises: [Promise]
  /// The first input that was given as a promise.
  private(set) var first: Promise?

  /// Reads the inputs, then calls the thenables among them in order.
  init<Elements: Sequence>(_ elements: Elements, _ turn: Turn) {
    if Elements.self == [Promise].self {
      promises = elements as! [Promise]
      first = promises.first
      return
    }
    promises = []
    promises.reserveCapacity(elements.underestimatedCount)
    var thenables: [(Promise, any Thenable)] = []
    for element in elements {
      switch Resolution(erased(element)) {
      case .promise(let input), .task(let input):
        if first == nil { first = input }
        promises.append(input)
      case .outcome(let outcome):
        let input = Promise(State(outcome), on: .immediate)
        input.flags.insert(.observed)
        promises.append(input)
      case .thenable(let thenable):
        let input = Promise(.unresolved, on: ProcessDefault.context)
        thenables.append((input, thenable))
        promises.append(input)
      }
    }
    for (input, thenable) in thenables { input.resolve(with: thenable, turn) }
  }
}

extension Promise {
  /// A root for the result of a combinator; `input` is the first promise among its inputs.
  static func result(
    on context: (any ExecutionContext)?, inheritedFrom input: Promise? = nil
  ) -> Promise {
    Promise(.unresolved, on: ContextRef(context) ?? input?.defaultContext ?? ProcessDefault.context)
  }
}
