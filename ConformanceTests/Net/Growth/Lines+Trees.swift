// Lines that build, settle, cancel, withdraw from, read and release chains, fans and combs.

import DynamicPromise
import DynamicPromiseDiagnostics

extension Line {
  /// The functions that make a child, by name.
  private static let steps: [(name: String, step: @Sendable (Promise) -> Promise)] = [
    ("then", { $0.then { $0 } }),
    ("then with both handlers", { $0.then({ $0 }, { throw $0 }) }),
    ("thenOn", { $0.thenOn(.immediate) { $0 } }),
    ("catch", { $0.catch { throw $0 } }),
    ("catchOn", { $0.catchOn(.immediate) { throw $0 } }),
    ("finally", { $0.finally {} }),
    ("tap", { $0.tap { _ in } }),
    ("tapCatch", { $0.tapCatch { _ in } }),
    ("tapResult", { $0.tapResult { _ in } }),
    ("shielded", { $0.shielded() }),
    ("spread", { $0.spread { (value: Int) in value } }),
    ("then that returns a settled promise", { $0.then { Promise.resolved($0, on: .immediate) } }),
    ("finally that returns a settled promise", { $0.finally { Promise.resolved(0, on: .immediate) } }),
  ]

  /// Adds children to a pending root that is then fulfilled, and to a settled root, where each handler runs
  /// in place. The comb is the only shape for all functions except `then`, because a comb has both long paths
  /// and branches.
  static let building: [Line] = steps.flatMap { name, step in
    let shapes = name == "then" ? Shape.allCases : [.comb]
    return Shape.lines("\(name), then fulfill", shapes) { grove, n in { _ = grove.grow(n, step).fulfilled() }
    }
      + Shape.lines("\(name) below settled", shapes) { grove, n in
        _ = grove.fulfilled()
        return { grove.grow(n, step) }
      }
  }

  static let settling: [Line] =
    Shape.lines("fulfill") { grove, n in
      grove.grow(n)
      return { _ = grove.fulfilled() }
    }
    + Shape.lines("resolve with a promise that settles") { grove, n in
      grove.grow(n)
      return {
        let inner = Promise(on: .immediate)
        grove.root.resolve(inner)
        inner.fulfill(0)
      }
    }
    + Shape.lines("reject, passing by") { grove, n in
      grove.grow(n)
      return { grove.root.reject(CancellationError()) }
    }
    + Shape.lines("fulfill each by hand", held: [true]) { grove, n in
      grove.grow(n)
      return { for promise in grove.all.reversed() { promise.fulfill(0) } }
    }
    + Shape.lines("Resolver freed") { grove, n in
      let resolver = Box(Promise.pending(on: .immediate).resolver)
      let (promise, own) = Promise.pending(on: .immediate)
      resolver.content = own
      promise.ignoreErrors()
      grove.root.bind(promise)
      grove.grow(n) { $0.then { $0 }.ignoreErrors() }
      return { resolver.content = nil }
    }

  /// Makes the same call on each promise of a held tree.
  private static func callEach(_ name: String, _ call: @escaping @Sendable (Promise) -> Void) -> [Line] {
    ["end", "root"].flatMap { first in
      Shape.lines("\(name) each, from the \(first)", held: [true]) { grove, n in
        grove.grow(n)
        if first == "end" { grove.all.reverse() }
        return { for promise in grove.all { call(promise) } }
      }
    }
  }

  static let cancelling: [Line] =
    Shape.lines("cancel the root") { grove, n in
      grove.grow(n)
      return { grove.root.cancel() }
    }
    + Shape.lines("cancel the root, all catch") { grove, n in
      grove.grow(n) { $0.catch { throw $0 }.ignoreErrors() }
      return { grove.root.cancel() }
    }
    + callEach("cancel") { $0.cancel() }
    + Shape.lines("cancel each of a settled tree", held: [true]) { grove, n in
      grove.fulfilled().grow(n)
      let pending = grove.end.then { _ in Promise() }
      return { withExtendedLifetime(pending) { for promise in grove.all { promise.cancel() } } }
    }
    + Shape.lines("cancel the end", held: [true]) { grove, n in
      grove.grow(n)
      return { grove.end.cancel() }
    }

  static let withdrawing: [Line] =
    Shape.lines("withdraw() at the end") { grove, n in
      grove.grow(n)
      return { grove.end.withdraw() }
    }
    + callEach("withdraw()") { $0.withdraw() }
    + Shape.lines("withdraw, followers of all") { grove, n in
      var followers: [Promise] = []
      grove.grow(n) {
        let child = $0.then { $0 }
        followers.append(Promise(on: .immediate))
        followers[followers.count - 1].bind(child)
        return child
      }
      return { for follower in followers.reversed() { follower.cancel() } }
    }
    + Shape.lines("withdraw, a follower of the end") { grove, n in
      grove.grow(n)
      let follower = Promise(on: .immediate)
      follower.bind(grove.end)
      return { follower.cancel() }
    }
    + Shape.lines("cancel the parent of followers of the end") { grove, n in
      grove.grow(n) { $0.then({ $0 }, { throw $0 }) }
      let (top, end) = (Promise.resolved(0, on: .immediate), grove.end)
      let followers = (0..<n).map { _ in top.then { _ in end }.finally {} }
      return { withExtendedLifetime(followers) { _ = top.cancel() } }
    }
    + Shape.lines("cancelsWhenUnwanted") { grove, n in
      grove.root.cancelsWhenUnwanted()
      grove.grow(n) { $0.then { $0 }.cancelsWhenUnwanted() }
      let last = grove.end.then { $0 }
      return { last.cancel() }
    }
    + Shape.lines("CancelBag, all in it") { grove, n in
      let bag = Box(CancelBag())
      grove.grow(n) { $0.cancelled(with: bag.content!) }
      return { bag.content = nil }
    }

  static let looking: [Line] =
    Shape.lines("root of the end") { grove, n in
      grove.fulfilled().grow(n)
      return { _ = grove.end.root }
    }
    + Shape.lines("parent of each", held: [true]) { grove, n in
      grove.fulfilled().grow(n)
      return { for promise in grove.all { _ = promise.parent } }
    }
    + Shape.lines("state and description of each", held: [true]) { grove, n in
      grove.grow(n)
      return { for promise in grove.all { _ = (promise.isCancelled, promise.result, promise.description) } }
    }
    + Shape.lines("finished") { grove, n in
      grove.grow(n)
      return {
        let whole = grove.root.finished()
        grove.root.fulfill(0)
        precondition(whole.isFulfilled)
      }
    }
    + Shape.lines("finished, each settled by hand", held: [true]) { grove, n in
      grove.grow(n)
      return {
        let whole = grove.root.finished()
        for promise in grove.all.reversed() { promise.fulfill(0) }
        precondition(whole.isFulfilled)
      }
    }
    + Shape.lines("treeDescription") { grove, n in
      grove.grow(n)
      return { _ = grove.root.treeDescription }
    }
    + Shape.lines("treeDescription of the end", held: [true]) { grove, n in
      grove.fulfilled().grow(n)
      return { _ = grove.end.treeDescription }
    }
    + Shape.lines("get, with the deadlock check") { grove, n in
      grove.grow(n)
      return { _ = try? grove.end.get(timeout: 0.001) }
    }

  static let releasing: [Line] =
    [true, false].flatMap { isSettled in
      [true, false].flatMap { fromTheEnd in
        Shape.lines(
          "release \(isSettled ? "settled" : "pending"), from the \(fromTheEnd ? "end" : "root")",
          held: [true]
        ) { grove, n in
          if isSettled { grove.root.fulfill(0) }
          grove.grow(n)
          grove.releaseEnd()
          return { grove.release(fromTheEnd: fromTheEnd) }
        }
      }
    }
    + [1, 3].flatMap { leaves in
      [true, false].map { fromTheEnd in
        Line("release a spine", "\(leaves) held branches each, from the \(fromTheEnd ? "end" : "root")") {
          spine($0, leaves, fromTheEnd)
        }
      }
    }

  static func spine(_ n: Int, _ leaves: Int, _ fromTheEnd: Bool) -> () -> Void {
    let grove = Grove(.chain, isHeld: true).fulfilled().grow(n / (leaves + 1))
    let all = grove.all.dropFirst().flatMap { step in (0..<leaves).map { _ in step.then { $0 } } }
    grove.releaseEnd()
    grove.all.removeFirst()
    return { withExtendedLifetime(all) { grove.release(fromTheEnd: fromTheEnd) } }
  }
}

/// A variable whose content a closure can release.
final class Box<Content>: @unchecked Sendable {
  var content: Content?

  init(_ content: Content?) { self.content = content }
}
