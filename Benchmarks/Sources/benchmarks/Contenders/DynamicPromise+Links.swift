// W15: promises that follow each other in a row, many promises that follow one promise, and a withdrawal up a
// chain.

import BenchmarkKit
import Dispatch
import DynamicPromise
import Foundation

extension DynamicPromiseContender {
  /// Empty for serial queues and barriers, which change only the time.
  var links: [Workload: Run] { manner == .inTurn ? [:] : [.w15b: w15b, .w15c: w15c] }

  /// The most expensive of three ways to link promises.
  @Sendable func w15a(_ count: Int) throws -> Figures {
    let forwards = try row(count, Array(1...count), late: 0).links
    let (backwards, late) = try row(count, (1...count).reversed(), late: min(count, 1000))
    let parts: [Part: Double] = [.forwards: forwards, .backwards: backwards, .late: late]
    return Figures(max(forwards, backwards, late), parts)
  }

  /// Makes a row of retained promises, each of which follows its predecessor, and makes the links in the
  /// given `order`. Then `late` more promises follow the last promise of the row. Then the first promise of
  /// the row is fulfilled.
  ///
  /// - Returns: Nanoseconds per link of the row, including the settlement, and per late link, without the
  ///   settlement.
  private func row(_ count: Int, _ order: [Int], late: Int) throws -> (links: Double, late: Double) {
    let stage = stage()
    let late = (0..<late).map { _ in stage.promise() }
    var (held, forLate): (ContiguousArray<Promise>, Double) = ([], 0)
    held.reserveCapacity(count + 1)
    let total = try time {
      for _ in 0...count { held.append(stage.promise()) }
      for index in order { held[index].bind(held[index - 1]) }
      forLate = time { for promise in late { promise.bind(held[count]) } }
      try fulfill(held[0], stage, settling: held)
    }
    try fulfill(held[0], stage, settling: late)
    return ((total - forLate) / Double(count), forLate / Double(max(1, late.count)))
  }

  @Sendable func w15b(_ count: Int) throws -> Double {
    let stage = stage()
    var held: ContiguousArray<Promise> = []
    held.reserveCapacity(count)
    return try time {
      let first = stage.promise()
      for _ in 0..<count {
        let promise = stage.promise()
        promise.bind(first)
        held.append(promise)
      }
      try fulfill(first, stage, settling: held)
    }
  }

  private func fulfill(_ first: Promise, _ stage: Stage, settling all: some Sequence<Promise>) throws {
    first.fulfill(0)
    stage.drain()
    for promise in all {
      try settled(promise, "does not settle all")
      guard promise.isFulfilled else { throw Failure("does not fulfill all") }
    }
  }

  /// Two promises follow the end of the chain. Cancelling one follower must not cancel the chain. Cancelling
  /// both must.
  @Sendable func w15c(_ count: Int) throws -> Double {
    let stage = stage()
    return try time {
      let root = stage.promise()
      var last = root
      for _ in 0..<count { last = last.then { $0 as! Int + 1 } }
      let (first, second) = (stage.promise(), stage.promise())
      first.bind(last)
      second.bind(last)
      first.cancel()
      stage.drain()
      guard last.isPending else { throw Failure("one of two is enough to cancel the chain") }
      second.cancel()
      stage.drain()
      try settled(root, "does not climb")
      try settled(last, "does not run down")
      guard root.isCancelled, last.isCancelled else { throw Failure("settled, but not cancelled") }
    }
  }

  /// Waits until `promise` is settled, perhaps by another thread.
  private func settled(_ promise: Promise, _ otherwise: String) throws {
    if promise.isSettled { return }
    let deadline = DispatchTime.now() + 10
    while promise.isPending {
      guard DispatchTime.now() < deadline else { throw Failure(otherwise) }
      sched_yield()
    }
  }
}
