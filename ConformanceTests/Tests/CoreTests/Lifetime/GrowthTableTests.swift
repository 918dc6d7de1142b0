// The growth table: the links between promises that an operation follows under locks, for n promises and for
// 10n. Everything runs on one thread.

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class GrowthTableTests: XCTestCase {
  /// The limit of links in a critical section. A slice needs fewer: it has 64 members, with a few links each.
  static let longestSection = 600

  private static func assertLinear(_ line: Line) {
    let (few, many) = (LockedWork.count(in: line.prepare(100)), LockedWork.count(in: line.prepare(1000)))
    let work = (few: few.steps + few.sections, many: many.steps + many.sections)
    XCTAssertLessThanOrEqual(work.many, 13 * work.few + 100, "\(line.name): \(few), \(many)")
    XCTAssertLessThanOrEqual(many.longest, longestSection, "\(line.name): the longest section")
  }

  // Spec: L4.8
  func testEachOperationIsLinear() {
    _ = standardLossHook
    onSmallStack { for line in Line.all { Self.assertLinear(line) } }
  }

  /// The nests are deep enough for recursion over promises to overflow the stack.
  // Spec: L4.9
  func testNestedWorkNeedsNoStack() {
    onSmallStack { for line in Line.nesting + Line.following { line.prepare(3000)() } }
  }

  /// The counts detect the quadratic growth of an exception, so they would also detect a quadratic fault:
  /// each follower that has a follower walks along the whole chain that it begins to follow.
  // Spec: L4.8
  func testQuadraticWorkIsDetected() throws {
    func walks(_ n: Int) -> LockedWork {
      let chain = (0..<n).map { _ in Promise() }
      for (promise, next) in zip(chain, chain.dropFirst()) { promise.bind(next) }
      return LockedWork.count {
        for _ in 0..<n {
          let middle = Promise()
          let end = middle.follower()
          middle.bind(chain[0])
          withExtendedLifetime(end) {}
        }
      }
    }
    let (few, many) = (walks(50), walks(500))
    try XCTSkipIf(few.sections == 0, "nothing is counted in release builds")
    XCTAssertGreaterThan(many.sections, 30 * few.sections)
  }
}

/// An operation. `prepare(n)` makes the promises that it needs; the returned closure is measured.
private struct Line: Sendable {
  let name: String
  let prepare: @Sendable (_ n: Int) -> () -> Void

  init(_ name: String, _ prepare: @escaping @Sendable (_ n: Int) -> () -> Void) {
    (self.name, self.prepare) = (name, prepare)
  }

  static let all =
    building + settling + cancelling + withdrawing + reading + releasing + following + nesting + combining
    + repeating + observing
}

private enum Shape: String, CaseIterable, Sendable {
  /// Each promise is a child of the previous promise.
  case chain
  /// All promises are children of the root.
  case fan
  /// A chain with a branch at each of its promises.
  case comb
}

/// A tree that grows.
private final class Grove: @unchecked Sendable {
  let root = Promise(on: .immediate)
  private let shape: Shape
  private let isHeld: Bool
  /// All promises if they are held, with the root first.
  var all: [Promise]
  /// The last promise of the chain, of the comb's spine, or of the fan.
  var end: Promise

  init(_ shape: Shape, isHeld: Bool) { (self.shape, self.isHeld, all, end) = (shape, isHeld, [root], root) }

  @discardableResult
  func grow(_ n: Int, _ step: (Promise) -> Promise = { $0.then { $0 } }) -> Grove {
    for index in 0..<n {
      let child = step(shape == .fan ? root : end)
      if isHeld { all.append(child) }
      if shape != .comb || index % 2 == 1 { end = child }
    }
    return self
  }

  /// Fulfills the root, so that the promises settle in place.
  func fulfilled() -> Grove {
    root.fulfill(0)
    return self
  }

  /// Releases the promises one by one, from the end or from the root.
  func release(fromTheEnd: Bool) {
    if !fromTheEnd { all.reverse() }
    while !all.isEmpty { all.removeLast() }
  }

  /// Releases the end, which retains all promises that are not held.
  func releaseEnd() { end = root }
}

extension Shape {
  /// A line for each shape, with held and with unheld promises.
  static func lines(
    _ operation: String, held: [Bool] = [true, false], _ shapes: [Shape] = Shape.allCases,
    _ prepare: @escaping @Sendable (_ grove: Grove, _ n: Int) -> () -> Void
  ) -> [Line] {
    shapes.flatMap { shape in
      held.map { isHeld in
        Line("\(operation): \(shape.rawValue), \(isHeld ? "held" : "unheld")") { n in
          prepare(Grove(shape, isHeld: isHeld), n)
        }
      }
    }
  }
}

// MARK: Trees

extension Line {
  /// Pending promises that are independent of each other.
  static func promises(_ n: Int) -> [Promise] { (0..<n).map { _ in Promise(on: .immediate) } }

  private static let steps: [(name: String, step: @Sendable (Promise) -> Promise)] = [
    ("then", { $0.then { $0 } }),
    ("then with both handlers", { $0.then({ $0 }, { throw $0 }) }),
    ("catch", { $0.catch { throw $0 } }),
    ("finally", { $0.finally {} }),
    ("tap", { $0.tap { _ in } }),
    ("shielded", { $0.shielded() }),
    ("then that returns a settled promise", { $0.then { Promise.resolved($0, on: .immediate) } }),
    ("finally that returns a settled promise", { $0.finally { Promise.resolved(0, on: .immediate) } }),
  ]

  /// Adds children to a pending root, which is then fulfilled, and to a settled root. The comb has both long
  /// paths and branches.
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
    + Shape.lines("reject, without handlers") { grove, n in
      grove.grow(n)
      return { grove.root.reject(CancellationError()) }
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
    + Shape.lines("cancel each, from the end", held: [true]) { grove, n in
      grove.grow(n)
      return { for promise in grove.all.reversed() { promise.cancel() } }
    }
    + Shape.lines("cancel each of a settled tree", held: [true]) { grove, n in
      grove.fulfilled().grow(n)
      let pending = grove.end.then { _ in Promise() }
      return { withExtendedLifetime(pending) { for promise in grove.all { promise.cancel() } } }
    }

  static let withdrawing: [Line] =
    Shape.lines("withdraw at the end") { grove, n in
      grove.grow(n)
      return { grove.end.withdraw() }
    }
    + Shape.lines("withdraw each, from the end", held: [true]) { grove, n in
      grove.grow(n)
      return { for promise in grove.all.reversed() { promise.withdraw() } }
    }
    + Shape.lines("cancel a follower of the end") { grove, n in
      grove.grow(n)
      let follower = Promise(on: .immediate)
      follower.bind(grove.end)
      return { follower.cancel() }
    }

  static let reading: [Line] =
    Shape.lines("root, parent, state of each", held: [true]) { grove, n in
      grove.fulfilled().grow(n)
      return { for promise in grove.all { _ = (promise.parent, promise.isCancelled, promise.result) } }
    }
    + Shape.lines("finished") { grove, n in
      grove.grow(n)
      return {
        let whole = grove.root.finished()
        grove.root.fulfill(0)
        precondition(whole.isFulfilled)
      }
    }
    + Shape.lines("get, with the deadlock check") { grove, n in
      grove.grow(n)
      return { _ = try? grove.end.get(timeout: 0.001) }
    }

  static let releasing: [Line] = [true, false].flatMap { isSettled in
    [true, false].flatMap { fromTheEnd in
      let name = "release \(isSettled ? "settled" : "pending"), from the \(fromTheEnd ? "end" : "root")"
      return Shape.lines(name, held: [true]) { grove, n in
        if isSettled { grove.root.fulfill(0) }
        grove.grow(n)
        grove.releaseEnd()
        return { grove.release(fromTheEnd: fromTheEnd) }
      }
    }
  }
}

// MARK: Followers, and work that could nest on one stack

extension Line {
  /// Promises, each of which follows the next promise.
  private static func followers(_ n: Int) -> [Promise] {
    let all = promises(n)
    for index in 1..<n { all[index - 1].bind(all[index]) }
    return all
  }

  static let following: [Line] = [
    Line("bind: chain, backwards") { n in
      let all = promises(n)
      return {
        for index in (1..<n).reversed() { all[index - 1].bind(all[index]) }
        all[n - 1].fulfill(0)
      }
    },
    Line("bind: chain, forwards") { n in { followers(n)[n - 1].fulfill(0) } },
    Line("bind: fan") { n in
      let (all, target) = (promises(n), Promise(on: .immediate))
      return {
        for promise in all { promise.bind(target) }
        target.fulfill(0)
      }
    },
    Line("bind: ring") { n in
      let all = followers(n)
      return {
        all[n - 1].bind(all[0])
        precondition(all[0].isRejected)
      }
    },
    Line("cancel the first follower of a chain") { n in
      let all = followers(n)
      return { all[0].cancel() }
    },
    Line("cancel each follower, from the last") { n in
      let all = followers(n)
      return { for promise in all.reversed() { promise.cancel() } }
    },
    Line("release followers, from the first") { n in
      let all = Held(followers(n).reversed())
      return { while !all.promises.isEmpty { all.promises.removeLast() } }
    },
  ]

  static let nesting: [Line] = [
    Line("thenables that resolve with thenables") { n in
      { precondition(Promise.resolved(Countdown(n), on: .immediate).isFulfilled) }
    },
    Line("handlers in place that register the next") { n in
      let promise = Promise.resolved(0, on: .immediate)
      @Sendable func register(_ left: Int) { if left > 0 { promise.then { _ in register(left - 1) } } }
      return { register(n) }
    },
    Line("handlers that fulfill the next") { n in
      let all = promises(n + 1)
      for (promise, next) in zip(all, all.dropFirst()) { promise.then { _ in next.fulfill(0) } }
      return {
        all[0].fulfill(0)
        precondition(all[n].isFulfilled)
      }
    },
    Line("onCancel hooks that cancel the next") { n in
      let first = Promise()
      let last = (0..<n).reduce(first) { next, _ in Promise(onCancel: { _ in next.cancel() }) }
      return {
        last.cancel()
        precondition(first.isCancelled)
      }
    },
    Line("nested combinators, cancelled") { n in
      let root = Promise(on: .immediate)
      let last = (0..<n).reduce(root) { inner, _ in .all([inner]) }
      return {
        last.cancel()
        precondition(root.isCancelled)
      }
    },
  ]
}

// MARK: Many promises

extension Line {
  private static let combinators: [(name: String, combine: @Sendable ([Promise]) -> Promise)] = [
    ("all", { .all($0) }), ("allSettled", { .allSettled($0) }), ("any", { .any($0) }),
    ("race", { .race($0) }),
  ]

  static let combining: [Line] = combinators.flatMap { name, combine in
    [
      Line("\(name), fulfilled in order") { n in
        let inputs = promises(n)
        return {
          let result = combine(inputs)
          for input in inputs { input.fulfill(0) }
          precondition(result.isFulfilled)
        }
      },
      Line("\(name), cancelled") { n in
        let inputs = promises(n)
        let result = combine(inputs)
        return { withExtendedLifetime(inputs) { _ = result.cancel() } }
      },
      Line("\(name): n of them share an input") { n in
        let (shared, inputs) = (Promise(on: .immediate), promises(n))
        return {
          let results = inputs.map { combine([shared, $0]) }
          for input in inputs { input.fulfill(0) }
          withExtendedLifetime(results) { _ = shared.fulfill(0) }
        }
      },
    ]
  }

  private static let series: [(name: String, run: @Sendable ([Promise]) -> Promise)] = [
    ("map", { .map($0, on: .immediate) { (value: Any) in value } }),
    ("map, 4 at once", { .map($0, concurrency: 4, on: .immediate) { (value: Any) in value } }),
    ("sequence", { .sequence($0, on: .immediate) { (value: Any) in value } }),
  ]

  static let repeating: [Line] = series.flatMap { name, run in
    [
      Line("\(name), inputs settle in reverse") { n in
        let inputs = promises(n)
        return {
          let result = run(inputs)
          for input in inputs.reversed() { input.fulfill(0) }
          precondition(result.isFulfilled)
        }
      },
      Line("\(name), cancelled") { n in
        let inputs = promises(n)
        let result = run(inputs)
        return { withExtendedLifetime(inputs) { _ = result.cancel() } }
      },
    ]
  }

  static let observing: [Line] = [
    Line("onSuccess, onFail, onCancel") { n in
      let promise = Promise(on: .immediate)
      return {
        for _ in 0..<n { promise.onSuccess { _ in }.onFail { _ in }.onCancel { _ in } }
        promise.fulfill(0)
      }
    }
  ]
}
