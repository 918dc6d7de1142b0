// Lines for combinators, series and timers of n promises, and for n observers of one promise.

import Dispatch
import DynamicPromise
import DynamicPromiseTesting

extension Line {
  static let combining: [Line] =
    combinators.flatMap { name, combine in
      [
        Line(name, "fulfilled in order") { n in
          let inputs = promises(n)
          return {
            let result = combine(inputs)
            for input in inputs { input.fulfill(0) }
            precondition(result.isFulfilled)
          }
        },
        Line(name, "rejected in reverse") { n in
          let inputs = promises(n)
          return {
            let result = combine(inputs)
            for input in inputs.reversed() { input.reject(CancellationError()) }
            precondition(result.isSettled)
          }
        },
        Line(name, "cancelled") { n in
          let inputs = promises(n)
          let result = combine(inputs)
          return { withExtendedLifetime(inputs) { _ = result.cancel() } }
        },
        Line(name, "released") { n in
          let inputs = promises(n)
          let result = Box(combine(inputs))
          return { withExtendedLifetime(inputs) { result.content = nil } }
        },
        Line(name, "n of them share an input") { n in
          let (shared, inputs) = (Promise(on: .immediate), promises(n))
          return {
            let results = inputs.map { combine([shared, $0]) }
            for input in inputs { input.fulfill(0) }
            withExtendedLifetime(results) { _ = shared.fulfill(0) }
          }
        },
      ]
    } + [
      Line("results(of:)", isOnOneThread: false) { n in
        let inputs = promises(n)
        return {
          let results = Promise.results(of: inputs)
          for input in inputs { input.fulfill(0) }
          let done = DispatchSemaphore(value: 0)
          Task {
            var count = 0
            for await _ in results { count += 1 }
            precondition(count == n)
            done.signal()
          }
          done.wait()
        }
      }
    ]

  /// A series over inputs, by name.
  private static let series: [(name: String, run: @Sendable ([Promise]) -> Promise)] = [
    ("map", { .map($0, on: .immediate) { (value: Any) in value } }),
    ("map, 4 at once", { .map($0, concurrency: 4, on: .immediate) { (value: Any) in value } }),
    ("filter", { .filter($0, on: .immediate) { (_: Any) in true } }),
    ("each", { .each($0, on: .immediate) { (value: Any) in value } }),
    ("sequence", { .sequence($0, on: .immediate) { (value: Any) in value } }),
    ("reduce", { .reduce($0, 0, on: .immediate) { (sum: Any, _: Any) in sum } }),
  ]

  static let repeating: [Line] =
    series.flatMap { name, run in
      [
        Line(name, "settled inputs") { n in
          let inputs = (0..<n).map { Promise.resolved($0, on: .immediate) }
          return { precondition(run(inputs).isFulfilled) }
        },
        Line(name, "inputs settle in reverse") { n in
          let inputs = promises(n)
          return {
            let result = run(inputs)
            for input in inputs.reversed() { input.fulfill(0) }
            precondition(result.isFulfilled)
          }
        },
        Line(name, "cancelled") { n in
          let inputs = promises(n)
          let result = run(inputs)
          return {
            result.cancel()
            for input in inputs { input.cancel() }
          }
        },
      ]
    } + [
      Line.whole("map", "tasks return chains") { n in
        let open = Promise(on: .immediate)
        let result = Promise.map(0..<n, on: .immediate) { (_: Any) in open.then { $0 } }
        open.fulfill(0)
        precondition(result.isFulfilled)
      },
      Line.whole("sequence", "tasks return chains") { n in
        let settled = Promise.resolved(0, on: .immediate)
        precondition(
          Promise.sequence(0..<n, on: .immediate) { (_: Any) in settled.then { $0 } }.isFulfilled)
      },
      Line.whole("repeat") { n in
        let left = Box(n)
        let result = Promise.repeat(on: .immediate) { () -> Any? in
          left.content! -= 1
          return left.content! == 0 ? nil : Promise.resolved(0, on: .immediate)
        }
        precondition(result.isFulfilled)
      },
      Line.whole("retry") { n in
        let result = Promise.retry(n, on: .immediate) { (attempt: Int) -> Any? in
          attempt < n ? PromiseError.timeout : 0
        }
        precondition(result.isFulfilled)
      },
      Line.whole("retry", "with delays") { n in
        let context = TestContext()
        let result = Promise.retry(n, delay: .constant(1.0), on: context) { (attempt: Int) -> Any? in
          attempt < n ? PromiseError.timeout : 0
        }
        context.advance(by: Double(n))
        context.drain()
        precondition(result.isFulfilled)
      },
    ]

  static let timing: [Line] = [
    Line.whole("delay", "fires") { n in
      let context = TestContext()
      let all = (0..<n).map { Promise.delay(Double($0 * 7919 % n), on: context) }
      context.advance(by: Double(n))
      context.drain()
      precondition(all.allSatisfy(\.isFulfilled))
    },
    Line.whole("delay", "cancelled") { n in
      let context = TestContext()
      let all = (0..<n).map { Promise.delay(Double($0 * 7919 % n), on: context) }
      for promise in all { promise.cancel() }
    },
    Line.whole("delay", "steps of a chain") { n in
      let context = TestContext()
      var end = Promise.resolved(0, on: context)
      for _ in 0..<n { end = end.delay(1.0) }
      context.advance(by: Double(n))
      context.drain()
      precondition(end.isFulfilled)
    },
    Line.whole("timeout", "in time") { n in
      let context = TestContext()
      let all = (0..<n).map { _ in Promise(on: context) }
      let limited = all.map { $0.timeout(1.0) }
      for promise in all { promise.fulfill(0) }
      context.drain()
      precondition(limited.allSatisfy(\.isFulfilled))
    },
    Line.whole("timeout", "too late") { n in
      let context = TestContext()
      let all = (0..<n).map { _ in Promise(on: context) }
      let limited = all.map { $0.timeout(1.0, cancelling: true).ignoreErrors() }
      context.advance(by: 2.0)
      context.drain()
      precondition(limited.allSatisfy(\.isRejected))
    },
    Line.whole("timeout", "one deadline") { n in
      let context = TestContext()
      let deadline = Deadline.after(1.0, on: context)
      let all = (0..<n).map { _ in Promise(on: context) }
      let limited = all.map { $0.timeout(deadline).ignoreErrors() }
      for promise in all.dropFirst(n / 2) { promise.fulfill(0) }
      context.advance(by: 2.0)
      context.drain()
      precondition(limited.allSatisfy(\.isSettled))
    },
    Line.whole("setTimeout", "chain") { n in
      let context = TestContext()
      let root = Promise(on: context)
      var end = root
      for _ in 0..<n { end = end.setTimeout(1.0) }
      root.fulfill(0)
      context.drain()
      precondition(end.isFulfilled)
    },
  ]

  static let observing: [Line] = [
    Line("onSuccess, onFail, onCancel", "fan") { n in
      let promise = Promise(on: .immediate)
      return {
        for _ in 0..<n { promise.onSuccess { _ in }.onFail { _ in }.onCancel { _ in } }
        promise.fulfill(0)
      }
    },
    Line("onSuccess, onFail, onCancel", "fan, released") { n in
      let promise = Box(Promise(on: .immediate))
      for _ in 0..<n { promise.content!.onSuccess { _ in }.onFail { _ in }.onCancel { _ in } }
      return { promise.content = nil }
    },
    Line("Resolver.onCancel, onAbandon", "fan") { n in
      let (promise, resolver) = Promise.pending(on: .immediate)
      return {
        for _ in 0..<n {
          resolver.onCancel { _ in }
          resolver.onAbandon {}
        }
        promise.cancel()
      }
    },
    Line("CancelBag, members settle") { n in
      let (bag, all) = (CancelBag(), promises(n))
      return {
        for promise in all { promise.cancelled(with: bag) }
        for promise in all { promise.fulfill(0) }
      }
    },
    Line("cancelled(with:), a bag each", "fan") { n in
      let promise = Promise(on: .immediate)
      return {
        let bags = Box((0..<n).map { _ in CancelBag() })
        for bag in bags.content! { promise.cancelled(with: bag) }
        while !bags.content!.isEmpty { bags.content!.removeLast() }
      }
    },
    Line("await", "n tasks wait for one promise", isOnOneThread: false) { n in
      let promise = Promise(on: .immediate)
      return {
        let done = DispatchGroup()
        for _ in 0..<n {
          done.enter()
          Task {
            _ = try? await promise.value
            done.leave()
          }
        }
        promise.fulfill(0)
        done.wait()
      }
    },
    Line("finished", "n waits, cancelled") { n in
      let promise = Promise(on: .immediate)
      return {
        let waits = (0..<n).map { _ in promise.finished() }
        for wait in waits { wait.cancel() }
      }
    },
    Line.whole("the default context", "chain", isOnOneThread: false) { n in
      waitForChain(n) { $0.then { $0 } }
    },
    Line.whole("the default context", "fan", isOnOneThread: false) { n in
      let root = Promise()
      let all = (0..<n).map { _ in root.then { $0 } }
      root.fulfill(0)
      for promise in all { promise.wait() }
    },
  ]
}
