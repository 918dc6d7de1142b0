// W9 in short: loops in which each handler returns the promise of the next round. `GrowthTests` measures the
// memory of longer ones, which says nothing under a sanitizer; here promises are counted instead.

import DynamicPromise
import XCTest

final class AdoptionLoopTests: XCTestCase {
  private let count = 20_000
  /// A round has a few promises under way, and a thread that was interrupted may hold some: a loop that keeps
  /// what it has done would have a thousand at the first look.
  private let limit = 500

  /// Keeps the last promises that it was given, as an interrupted thread would that has them in its frames.
  private final class Window: @unchecked Sendable {
    private var promises: [Promise?]
    private var turn = 0

    init(_ size: Int) { promises = Array(repeating: nil, count: size) }

    func pass(_ promise: Promise) -> Promise {
      guard !promises.isEmpty else { return promise }
      promises[turn % promises.count] = promise
      turn += 1
      return promise
    }
  }

  /// Runs `loops` of them side by side, whose rounds hang below promises of `next`, and of which the promises
  /// of the last `held` rounds are held (by one thread). Few promises exist at a time, and at the end no
  /// handler.
  private func assertRoundsAreFreed(
    loops: Int = 1, held: Int = 0, drain: () -> Void = {}, _ next: @escaping @Sendable () -> Promise
  ) {
    let (census, handlers, most) = (Census(), LiveCount(), Log<Int>())
    let finished = (0..<loops).map { _ in Event() }
    let (rounds, window) = (count, Window(held))
    @Sendable func iterate(_ index: Int) -> Promise {
      let canary = handlers.make()
      if index % 1000 == 0 { most.append(max(census.alive, handlers.count)) }
      let promise = census.add(
        next().then { _ -> Any in
          defer { withExtendedLifetime(canary) {} }
          if index < rounds { return iterate(index + loops) }
          return "end"
        })
      return window.pass(promise)
    }
    for first in 0..<loops { iterate(first).then { _ in finished[first].signal() } }
    drain()
    for event in finished { event.wait("the end of a loop") }
    handlers.waitUntilEmpty()
    XCTAssertGreaterThan(most.count, 10)
    XCTAssertLessThan(most.all.max() ?? .max, limit)
  }

  /// Retaining a few rounds for a while leaves nothing behind in the loop.
  // Spec: L3.2, L4.2
  func testOnASteppedContext() {
    for held in [0, 16] {
      let context = SteppedContext()
      assertRoundsAreFreed(held: held, drain: { context.drain() }) { context.settled(0) }
    }
  }

  /// Also on several threads, each of which adopts what another one has settled.
  // Spec: L3.2
  func testOnTheDefaultContext() {
    for loops in [1, 4] { assertRoundsAreFreed(loops: loops) { Promise.resolved(0) } }
  }
}
