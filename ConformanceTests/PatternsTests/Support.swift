// What the tests of the patterns share: tasks that wait, races, a small stack.

import DynamicPromise
import DynamicPromisePatterns
import Foundation
import Synchronization
import TestSupport
import XCTest

/// How often a race is run: `RACE_ROUNDS` percent of `rounds`.
func raceRounds(_ rounds: Int) -> Int {
  let percent = ProcessInfo.processInfo.environment["RACE_ROUNDS"].flatMap(Int.init) ?? 15
  return max(20, rounds * percent / 100)
}

/// Runs the parts on threads of their own that start together, and returns when all have returned.
func together(_ parts: (@Sendable () -> Void)...) {
  let arrived = Counter()
  let count = parts.count
  DispatchQueue.concurrentPerform(iterations: count) { [parts] index in
    _ = arrived.increment()
    // On a machine with fewer processors than parts one of them may have to begin without the others.
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

/// A thenable.
struct Later: Thenable {
  var then: ThenMethod? { { resolve, _ in resolve("thenable") } }
}

/// Counts from several threads.
final class Counter: Sendable {
  private let count = Atomic(0)

  /// The number after it.
  @discardableResult
  func increment() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }

  @discardableResult
  func decrement() -> Int { count.subtract(1, ordering: .sequentiallyConsistent).newValue }

  var value: Int { count.load(ordering: .sequentiallyConsistent) }
}

/// Reports its `deinit`.
final class Canary: Sendable {
  private let onDeath: @Sendable () -> Void

  init(_ onDeath: @escaping @Sendable () -> Void) { self.onDeath = onDeath }

  deinit { onDeath() }
}

/// Looks at an object without keeping it.
final class WeakReference<Object: AnyObject>: @unchecked Sendable {
  private(set) weak var object: Object?

  init(_ object: Object) { self.object = object }
}

extension XCTestCase {
  /// Waits until `condition` holds, looking again whenever the main queue has had a turn.
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

  /// Runs `body` on a thread with a small stack, as a background queue has.
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

/// An object whose promises a test resolves by hand, one for each time that it is asked.
final class Source: Sendable {
  private let made = Recorded<[Promise]>([])

  /// A new pending promise.
  func next() -> Promise {
    let promise = Promise(on: .immediate)
    made.change { $0.append(promise) }
    return promise
  }

  /// The promises, in the order in which they were asked for.
  var all: [Promise] { made.value }
  var count: Int { all.count }
}
