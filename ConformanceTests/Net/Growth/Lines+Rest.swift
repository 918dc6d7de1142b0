// Lines that are in no other list: `reflect`, `onTermination`, promises of closures and tasks, actors,
// unfinished work, resources, the newest call.

import Dispatch
import DynamicPromise
import DynamicPromisePatterns

private actor Somebody {}

extension Line {
  /// Makes a chain on the default context, and waits for its end.
  static func waitForChain(_ n: Int, _ step: (Promise) -> Promise) {
    let root = Promise()
    var end = root
    for _ in 0..<n { end = step(end) }
    root.fulfill(0)
    end.wait()
  }

  static let rest: [Line] = [
    Line("reflect", "chain, fulfilled") { n in
      let root = Promise(on: .immediate)
      return {
        var end = root
        for _ in 0..<n { end = end.reflect().then { _ in 0 } }
        root.fulfill(0)
        precondition(end.isFulfilled)
      }
    },
    Line("reflect", "chain, cancelled at the end") { n in
      let root = Promise(on: .immediate)
      return {
        var end = root
        for _ in 0..<n { end = end.reflect() }
        end.cancel()
        precondition(root.isCancelled)
      }
    },
    Line("Resolver.onTermination", "fan") { n in
      let (promise, resolver) = Promise.pending(on: .immediate)
      return {
        for _ in 0..<n { resolver.onTermination { _ in } }
        promise.cancel()
      }
    },
    Line.whole("promises of closures, each freed") { n in
      for value in 0..<n { _ = Promise(on: .immediate) { $0.fulfill(value) }.then { $0 } }
    },
    Line.whole("promises of tasks", isOnOneThread: false) { n in
      let all = (0..<n).map { value in Promise { () async in value } }
      for promise in all { promise.wait() }
    },
    Line.whole("then that suspends", "chain", isOnOneThread: false) { n in
      waitForChain(n) { $0.then { (value: Any) async in 0 } }
    },
    Line("thenOn an actor", "chain", isOnOneThread: false) { n in
      let actor = Somebody()
      return { waitForChain(n) { $0.thenOn(actor) { (_: isolated Somebody, _: Any) in 0 } } }
    },
    Line("finished", "resolvers that are used late") { n in
      let root = Promise(on: .immediate)
      let pairs = (0..<n).map { _ in Promise.pending(on: .immediate) }
      for pair in pairs { root.then { _ in pair.promise } }
      root.fulfill(0)
      return {
        root.cancel()
        let done = root.finished()
        for pair in pairs.reversed() { pair.resolver.fulfill(0) }
        precondition(done.isFulfilled)
      }
    },
    Line("finished", "followers of one that is unfinished") { n in
      let (promise, resolver) = Promise.pending(on: .immediate)
      return {
        let followers = (0..<n).map { _ in Promise(on: .immediate) }
        for follower in followers { follower.bind(promise) }
        promise.cancel()
        let all = followers.map { $0.finished() }
        resolver.fulfill(0)
        precondition(all.allSatisfy(\.isFulfilled))
      }
    },
    Line.whole("using", "n resources") { n in
      let resources = (0..<n).map { Promise.resolved($0, on: .immediate).closing { (_: Int) in } }
      precondition(Promise.using(resources, on: .immediate) { $0.count }.isFulfilled)
    },
    Line("Latest", "each call cancels the former") { n in
      let latest = Latest(on: .immediate)
      return { for _ in 0..<n { latest.run { Promise(on: .immediate) } } }
    },
  ]
}
