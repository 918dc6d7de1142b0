// Lines for foreign code that acts on the next promise. Without protection, n such calls would nest on one
// stack.

import DynamicPromise

/// A thenable that resolves with the next thenable at once.
private struct Countdown: Thenable {
  let left: Int

  var then: ThenMethod? {
    { [left] resolve, _ in left == 0 ? resolve("end") : resolve(Countdown(left: left - 1)) }
  }
}

/// A context that runs each job on the stack that submits it.
private struct AtOnce: ExecutionContext {
  func execute(_ job: @escaping @Sendable () -> Void) { job() }
}

/// Runs a closure upon deallocation.
private final class Trigger: Sendable {
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  deinit { action() }
}

extension Line {
  package static let nesting: [Line] =
    [
      Line.whole("thenables that resolve with thenables") { n in
        precondition(Promise.resolved(Countdown(left: n), on: .immediate).isFulfilled)
      },
      Line("handlers in place that register the next") { n in
        let promise = Promise.resolved(0, on: .immediate)
        @Sendable func register(_ left: Int) {
          if left > 0 { promise.then { _ in register(left - 1) } }
        }
        return { register(n) }
      },
      Line("handlers in place that return the next chain") { n in
        let promise = Promise.resolved(0, on: .immediate)
        @Sendable func descend(_ left: Int) -> Promise {
          promise.then { value -> Any in left == 0 ? value : descend(left - 1) }
        }
        return { precondition(descend(n).isFulfilled) }
      },
      row("handlers that cancel the next", { $0.cancel() }, isDone: \.isCancelled) { next in
        let promise = Promise(on: .immediate)
        promise.catch { _ in next.cancel() }
        return promise
      },
      row("onCancel hooks that cancel the next", { $0.cancel() }, isDone: \.isCancelled) { next in
        Promise(onCancel: { _ in next.cancel() })
      },
      Line("onAbandon hooks that hold the next") { n in
        let last = Box(Promise())
        for _ in 0..<n {
          let next = last.content
          last.content = Promise(onCancel: nil, onAbandon: { withExtendedLifetime(next) {} })
        }
        return { last.content = nil }
      },
      row("captures whose deinit fulfills the next", { $0.fulfill(0) }, isDone: \.isFulfilled) { next in
        let (promise, trigger) = (Promise(on: .immediate), Trigger { next.fulfill(0) })
        promise.then { _ in withExtendedLifetime(trigger) {} }
        return promise
      },
      Line("a context that runs jobs at once") { n in
        let root = Promise(on: AtOnce())
        var end = root
        for _ in 0..<n { end = end.then { $0 } }
        return { [end] in
          root.fulfill(0)
          precondition(end.isFulfilled)
        }
      },
    ] + fulfillers + nestedCombinators

  /// A row of promises, each of which acts on the promise that was made before it. `call` acts on the last
  /// promise, and its effect must reach the first promise.
  private static func row(
    _ operation: String, _ call: @escaping @Sendable (Promise) -> Void,
    isDone: @escaping @Sendable (Promise) -> Bool, _ make: @escaping @Sendable (_ next: Promise) -> Promise
  ) -> Line {
    Line(operation) { n in
      let first = Promise(on: .immediate)
      let last = (0..<n).reduce(first) { next, _ in make(next) }
      return {
        call(last)
        precondition(isDone(first))
      }
    }
  }

  /// Handlers or observers, each of which fulfills the next promise.
  private static let fulfillers: [Line] = ["handlers", "observers"].map { name in
    Line("\(name) in place that fulfill the next") { n in
      let all = promises(n + 1)
      for (promise, next) in zip(all, all.dropFirst()) {
        if name == "handlers" {
          promise.then { _ in next.fulfill(0) }
        } else {
          promise.onSuccess { _ in next.fulfill(0) }
        }
      }
      return {
        all[0].fulfill(0)
        precondition(all[n].isFulfilled)
      }
    }
  }

  private static let nestedCombinators: [Line] = ["fulfilled", "cancelled", "released"].flatMap { end in
    combinators.map { name, combine in
      Line("nested combinators, \(end)", name) { n in
        let root = Promise(on: .immediate)
        let last = Box(root)
        for _ in 0..<n {
          let result = combine([last.content!])
          // Without this step, the value would be n nested arrays, which the language releases on one stack.
          last.content = end == "fulfilled" ? result.then { _ in 0 } : result
        }
        return {
          switch end {
          case "fulfilled": root.fulfill(0)
          case "cancelled": last.content!.cancel()
          default: last.content = nil
          }
        }
      }
    }
  }

  /// The combinators, by name. `Lines+Many.swift` has their lines with many inputs.
  static let combinators: [(name: String, combine: @Sendable ([Promise]) -> Promise)] = [
    ("all", { .all($0) }),
    ("all, cancelling", { .all($0, cancellingInputs: true) }),
    ("allSettled", { .allSettled($0) }),
    ("any", { .any($0) }),
    ("race", { .race($0) }),
    ("some", { .some($0, ($0.count + 1) / 2) }),
    (
      "keyed all", { .all(Dictionary(uniqueKeysWithValues: $0.enumerated().map { ($0.offset, $0.element) })) }
    ),
  ]
}
