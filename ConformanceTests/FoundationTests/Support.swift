// What the tests of the Foundation part share: events with deadlines, threads, things whose release can be
// seen.

import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

/// How long anything may take before it counts as hanging; generous, because the machine may be busy.
let patience = 30.0

/// Something that happens once or more, and that a test waits for with its thread blocked.
final class Event: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func signal() { semaphore.signal() }

  @discardableResult
  func wait(_ what: String = "event", file: StaticString = #filePath, line: UInt = #line) -> Bool {
    if semaphore.wait(timeout: .now() + patience) == .success { return true }
    XCTFail("\(what) did not happen", file: file, line: line)
    return false
  }
}

/// An object that reports its `deinit`.
final class Canary: Sendable {
  private let onDeath: @Sendable () -> Void

  init(_ onDeath: @escaping @Sendable () -> Void) { self.onDeath = onDeath }

  deinit { onDeath() }
}

/// A thread of the test's own, which runs its run loop when the test says so, and ends when the test says so.
final class LoopingThread: Sendable {
  private let turns = DispatchSemaphore(value: 0)
  private let state = Recorded<(context: RunLoopContext?, isOver: Bool)>((nil, false))

  /// The thread's loop.
  var context: RunLoopContext { state.value.context! }

  /// Starts the thread; its loop does not run yet.
  init() {
    let isReady = Event()
    let (turns, state) = (turns, state)
    let thread = Thread {
      state.change { $0.context = .current }
      let keepAlive = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
      RunLoop.current.add(keepAlive, forMode: .default)
      isReady.signal()
      turns.wait()
      // Until stopped from inside: a loop that is not woken sleeps, however long its handlers wait.
      while !state.value.isOver { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
      keepAlive.invalidate()
    }
    thread.start()
    isReady.wait("thread")
  }

  /// Lets the loop run.
  func run() { turns.signal() }

  /// Ends the thread; if its loop has not run yet, it never will.
  func end() {
    state.change { $0.isOver = true }
    turns.signal()
  }
}

extension Promise {
  /// The outcome, waited for with the thread blocked, and with a deadline.
  func outcome(file: StaticString = #filePath, line: UInt = #line) -> Result<Any, any Error> {
    do { return .success(try get(timeout: patience)) } catch {
      if !isSettled { XCTFail("still pending", file: file, line: line) }
      return .failure(error)
    }
  }

  /// Waits until it is settled, and expects it to be broken.
  func assertBroken(file: StaticString = #filePath, line: UInt = #line) {
    let outcome = outcome(file: file, line: line)
    if case .failure(PromiseError.broken) = outcome { return }
    XCTFail("\(outcome)", file: file, line: line)
  }
}
