import DynamicPromise
import DynamicPromiseDiagnostics

/// Futures, contexts that resolve to another context, and the tree as text.
func faces(on screen: Screen) async throws -> [String] {
  let former = Promise.defaultContext
  Promise.defaultContext = former
  let promise = Promise()
  let future: Promise = promise
  let end =
    future
    .then { $0 }
    .then { (number: Int) in number + 1 }
    .thenOn(.current) { $0 }
    .thenOn(CurrentContext()) { $0 }
    .thenOn(.shared, { $0 }, nil)
    .thenOnMain { value in
      screen.text = "\(value)"
      return value
    }
    .catchOn(.shared) { error in throw error }
    .finallyOn(.current) {}
    .finallyOnMain { screen.text += "." }
    .setTimeout(3600)
    .shielded()
  let shown = [promise.treeDescription, future.treeDescription, "\(future)"]
  guard promise.debugDescription == future.debugDescription, future.isPending, !future.isSettled else {
    return []
  }
  promise.fulfill(1)
  let number = try await end.value(as: Int.self)
  let same = try await end.value
  guard number == 2, same is Int, end.isFulfilled, !end.isRejected, !end.isCancelled else { return [] }
  guard future.parent == nil, future.root == future, Set([future, future]).count == 1 else { return [] }
  future.ignoreErrors().cancel()
  future.cancel("late")
  guard CancellationError().isCancellation else { return [] }
  let bound = Promise()
  bound.bind(future)
  _ = try await bound.thenOn(.mainImmediate) { $0 }.thenOn(MainImmediateContext()) { $0 }.value
  return shown
}

/// Combinators and timers.
func combined() async throws -> Promise {
  let several: [Promise] = [.resolved(1), .resolved(2)]
  _ = try await Promise.all(several).value
  _ = try await Promise.all([1, Promise.resolved("two"), nil], on: .inherited, cancellingInputs: true).value
  _ = try await Promise.allSettled(several).value
  _ = try await Promise.any(several).value
  _ = try await Promise.race(several, cancellingInputs: true).value
  _ = try await Promise.sequence([1, 2]) { (number: Int) in Promise.resolved(number) }.value
  _ = try await Promise.repeat { nil }.value
  return Promise.delay(0, "now").setTimeout(3600)
}
