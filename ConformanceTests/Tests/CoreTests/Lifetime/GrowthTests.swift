// Loops run in constant memory (L3.1 to L3.4).

import DynamicPromise
import XCTest

final class GrowthTests: XCTestCase {
  // The limit allows 16 bytes per round in a full release run, and 140 bytes in the shortest run. A promise
  // occupies more than 200 bytes.
  #if DEBUG
    private let count = RaceTrack.part(of: 100_000, atLeast: 15_000)
    private let limit = 2 << 20
  #else
    private let count = RaceTrack.part(of: 1_000_000, atLeast: 120_000)
    private let limit = 16 << 20
  #endif

  /// Runs `program` once to fill the allocator's caches, and then measures up to three more runs. During a
  /// run, `program` samples the memory with `memory.look()`. One run must stay below the limit of growth. A
  /// leak shows in every run. Memory that the allocator cannot return is reused by the next run.
  private func assertConstantMemory(
    firstRun: Int, limit ownLimit: Int? = nil,
    _ program: @escaping @Sendable (_ count: Int, _ memory: ResidentMemory) throws -> Void
  ) throws {
    let memory = try ResidentMemory()
    let (count, limit) = (count, ownLimit ?? limit)
    onSmallStack {
      try program(firstRun, memory)
      var least = Int.max
      for _ in 0..<3 where least >= limit {
        memory.begin()
        try program(count, memory)
        memory.lookAtTheEnd()
        least = min(least, memory.growth)
      }
      XCTAssertLessThan(least, limit)
    }
  }

  private enum Held: CaseIterable, Sendable { case nothing, head, intermediate }

  /// Makes the parents for the rounds of a loop.
  private struct Source: Sendable {
    var stepped: SteppedContext?
    let next: @Sendable () -> Promise
  }

  /// Runs `loops` loops side by side. Each handler returns the promise of the next round. The memory is
  /// measured during the loops, because everything is released at their end.
  private func assertIterationsRunInConstantMemory(
    loops: Int = 1, held kinds: [Held] = Held.allCases, _ makeSource: @escaping @Sendable () -> Source
  ) throws {
    for held in kinds {
      try assertConstantMemory(firstRun: count / 10) { count, memory in
        let source = makeSource()
        let (kept, finished) = (Log<Promise>(), Event())
        @Sendable func iterate(_ index: Int) -> Promise {
          let promise = source.next().then { _ -> Any in
            if index % 1024 < loops { memory.look() }
            if index < count { return iterate(index + loops) }
            finished.signal()
            return "end"
          }
          if held == .intermediate, index / loops == 100 { kept.append(promise) }
          return promise
        }
        for first in 0..<loops {
          let head = iterate(first)
          if held == .head { kept.append(head) }
        }
        source.stepped?.drain()
        for _ in 0..<loops { finished.wait("the end of the loop, \(held) held") }
        // A worker appends its promise after the next round has become possible, so the loop may end first.
        eventually("the kept promises, \(held) held") { kept.count == (held == .nothing ? 0 : loops) }
        for promise in kept.all { XCTAssertEqual(try promise.value(), "end") }
      }
    }
  }

  // Spec: L3.2, L4.2
  func testALoopOfReturnedPromisesTakesConstantMemory() throws {
    try assertIterationsRunInConstantMemory {
      let context = SteppedContext()
      return Source(stepped: context) { Promise.resolved(0, on: context) }
    }
  }

  // Spec: L3.1, L3.6
  func testALoopThatBindsPromisesTakesConstantMemory() throws {
    let alive = LiveCount()
    try assertConstantMemory(firstRun: 1000) { count, memory in
      let context = SteppedContext()
      var promise = Promise.resolved(0, on: context)
      for index in 0..<count {
        promise = promise.then { _ in alive.make() }
        context.drain()
        if index % 1024 == 0 { memory.look() }
      }
      XCTAssertTrue(promise.isFulfilled)
      XCTAssertNil(promise.parent)
      XCTAssertTrue(promise.root === promise)
    }
    XCTAssertLessThanOrEqual(alive.peak, 4)
  }

  // Spec: L3.3
  func testShortLivedChildrenTakeConstantMemory() throws {
    let alive = LiveCount()
    try assertConstantMemory(firstRun: 1000) { count, memory in
      let context = SteppedContext()
      let (scheduled, inPlace) = (Promise.resolved(0, on: context), Promise.resolved(0, on: .immediate))
      let pending = Promise()
      for index in 0..<count {
        scheduled.then { _ in alive.make() }
        context.drain()
        inPlace.then { _ in alive.make() }
        let canary = alive.make()
        pending.then { _ in use(canary) }.cancel()
        if index % 1024 == 0 { memory.look() }
      }
      XCTAssertTrue(pending.isPending)
    }
    XCTAssertLessThanOrEqual(alive.peak, 2)
  }

  // Spec: L3.4, K17.5
  func testFinishedOfALongLivedPromiseTakesConstantMemory() throws {
    try assertConstantMemory(firstRun: 1000) { count, memory in
      let root = Promise(on: .immediate)
      for index in 0..<count {
        let whole = root.finished()
        if index % 2 == 0 { whole.cancel() }
        if index % 1024 == 0 { memory.look() }
      }
      XCTAssertTrue(root.isPending)
    }
  }
}
