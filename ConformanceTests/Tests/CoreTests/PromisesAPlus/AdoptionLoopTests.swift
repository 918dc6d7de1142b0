// Loops in which each handler returns the promise of the next round. These tests count promises.
// `GrowthTests` measures the memory of longer loops, but its figures are meaningless under a sanitizer.

import DynamicPromise
import XCTest

final class AdoptionLoopTests: XCTestCase {
  private let count = 20_000
  /// Each round has a few pending promises, and an interrupted thread may retain some more. A leaking loop
  /// would have 1,000 promises after 1,000 rounds.
  private let limit = 500

  /// Retains the most recent promises, like the stack frames of an interrupted thread.
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

  /// Runs `loops` loops side by side. Each round is a child of a promise from `next`. A window retains the
  /// promises of the last `held` rounds. Expects few live promises at any time, and no handlers at the end.
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

  /// The loop frees its rounds, even if a few rounds are retained for a while.
  // Spec: L3.2, L4.2
  func testOnASteppedContext() {
    for held in [0, 16] {
      let context = SteppedContext()
      assertRoundsAreFreed(held: held, drain: { context.drain() }) { context.settled(0) }
    }
  }

  /// Several threads run the rounds. Each thread adopts promises that another thread has settled.
  // Spec: L3.2
  func testOnTheDefaultContext() {
    for loops in [1, 4] { assertRoundsAreFreed(loops: loops) { Promise.resolved(0) } }
  }
}
