// Helpers for the pattern tests: races, waits, objects that report their release, a small stack.

import DynamicPromise
import DynamicPromisePatterns
import Foundation
import TestSupport
import XCTest

/// The number of rounds of a race: `RACE_ROUNDS` percent of `rounds`, but at least 20.
func raceRounds(_ rounds: Int) -> Int {
  let percent = ProcessInfo.processInfo.environment["RACE_ROUNDS"].flatMap(Int.init) ?? 15
  return max(20, rounds * percent / 100)
}

/// Runs each part on a separate thread. The parts start together, and the function returns when all parts
/// have returned.
func together(_ parts: (@Sendable () -> Void)...) {
  let arrived = Recorded(0)
  let count = parts.count
  DispatchQueue.concurrentPerform(iterations: count) { [parts] index in
    arrived.increment()
    // With fewer processors than parts, a part may have to start without the others.
    var looks = 0
    while arrived.value < count, looks < 2000 { looks += 1 }
    parts[index]()
  }
}

/// Waits until `promise` is fulfilled, even in a cancelled task.
func fulfilled(_ promise: Promise) async {
  await withCheckedContinuation { continuation in
    promise.onSuccess(on: .immediate) { _ in continuation.resume() }
  }
}

extension Recorded where Value: RangeReplaceableCollection {
  func append(_ element: Value.Element) { change { $0.append(element) } }
}

/// An object that reports its `deinit`.
final class Canary: Sendable {
  private let onDeath: @Sendable () -> Void

  init(_ onDeath: @escaping @Sendable () -> Void) { self.onDeath = onDeath }

  deinit { onDeath() }
}

extension XCTestCase {
  /// Polls `condition` until it holds, and serves the main queue between polls.
  func eventually(
    _ what: String, file: StaticString = #filePath, line: UInt = #line,
    _ condition: @escaping @Sendable () -> Bool
  ) {
    let deadline = Date(timeIntervalSinceNow: 20)
    while !condition() {
      if Date() > deadline { return XCTFail("not \(what)", file: file, line: line) }
      let turn = expectation(description: "a turn")
      DispatchQueue.global().async { turn.fulfill() }
      wait(for: [turn], timeout: 20)
    }
  }

  /// Runs `body` on a thread with a small stack, like the stack of a background queue's thread.
  func onSmallStack(_ body: @escaping @Sendable () -> Void) {
    let done = expectation(description: "the thread")
    let thread = Thread {
      body()
      done.fulfill()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    wait(for: [done], timeout: 120)
  }
}

/// Makes promises that a test settles by hand.
final class Source: Sendable {
  private let made = Recorded<[Promise]>([])

  /// Makes a new pending promise.
  func next() -> Promise {
    let promise = Promise(on: .immediate)
    made.append(promise)
    return promise
  }

  /// The promises, in the order of the calls.
  var all: [Promise] { made.value }
  var count: Int { all.count }
}
