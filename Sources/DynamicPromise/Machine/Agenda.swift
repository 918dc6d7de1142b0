// The work list along which everything travels that would otherwise recurse over our own links (L4, C8).

/// What is still to be done before a settling, cancelling or registering call returns, first in, first out.
struct Agenda {
  enum Step {
    /// Hand over the continuations of a settled promise; the step holds it and is its only drainer.
    case dispatch(Unmanaged<Promise>)
    case cancel(Descendant, any Error)
  }

  /// Whether this stack is a worker of the private default context with no user frame on it, so that a handler
  /// may be run right here.
  let continuesInPlace: Bool
  /// The child that goes on in place when everything else is done; held.
  var continuation: Unmanaged<Promise>?

  /// Whether this stack is among the `Walkers`.
  private var isWalking = false

  private var first: Step?
  private var rest: [Step] = []
  private var restHead = 0

  init(continuesInPlace: Bool = false) { self.continuesInPlace = continuesInPlace }

  mutating func add(_ step: Step) {
    if first == nil && rest.isEmpty { first = step } else { rest.append(step) }
  }

  private mutating func next() -> Step? {
    if let step = first {
      first = nil
      return step
    }
    guard restHead < rest.count else { return nil }
    let step = rest[restHead]
    restHead += 1
    if restHead == rest.count {
      rest.removeAll(keepingCapacity: rest.capacity < 1024)
      restHead = 0
    } else if restHead >= 4096, restHead * 2 >= rest.count {
      rest.removeFirst(restHead)
      restHead = 0
    }
    return step
  }

  /// Foreign code is about to run on this stack: what waits behind it goes to the pool (X1).
  mutating func submitContinuation() {
    guard let child = continuation else { return }
    continuation = nil
    ContextRef.shared.submit(child, &self)
  }

  /// Works until nothing is left.
  mutating func run() {
    while true {
      if let step = next() {
        switch step {
        case .dispatch(let promise): Promise.dispatch(promise, &self)
        case .cancel(.promise(let promise), let reason): promise.tell(reason, &self)
        case .cancel(.link(let link), let reason): link.tell(reason, &self)
        }
      } else if let child = continuation {
        continuation = nil
        Promise.run(child, &self)
      } else {
        if isWalking { Walkers.remove() }
        isWalking = false
        return
      }
    }
  }

  /// Called before descendants are collected from a link's list.
  mutating func walk() {
    if !isWalking { Walkers.add() }
    isWalking = true
  }
}
