// Helpers for the Foundation tests: events with deadlines, and threads.

import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

/// The seconds after which an operation counts as hanging. The time is generous, because the machine may be
/// busy.
let patience = 30.0

/// An event for which a test blocks its thread. The event may happen several times.
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

/// A thread whose run loop the test starts and ends.
final class LoopingThread: Sendable {
  private let turns = DispatchSemaphore(value: 0)
  private let state = Recorded<(context: RunLoopContext?, isOver: Bool)>((nil, false))

  /// The context of the thread's loop.
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
      while !state.value.isOver { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
      keepAlive.invalidate()
    }
    thread.start()
    isReady.wait("thread")
  }

  /// Starts the loop.
  func run() { turns.signal() }

  /// Ends the thread. A loop that has not started yet never runs.
  func end() {
    state.change { $0.isOver = true }
    turns.signal()
    // Wakes the loop.
    context.execute {}
  }
}

extension Promise {
  /// Blocks the thread until the outcome is known, with a deadline.
  func outcome(file: StaticString = #filePath, line: UInt = #line) -> Result<Any, any Error> {
    do { return .success(try get(timeout: patience)) } catch {
      if !isSettled { XCTFail("still pending", file: file, line: line) }
      return .failure(error)
    }
  }

  /// Waits until the promise is settled, and expects it to be broken.
  func assertBroken(file: StaticString = #filePath, line: UInt = #line) {
    let outcome = outcome(file: file, line: line)
    if case .failure(PromiseError.broken) = outcome { return }
    XCTFail("\(outcome)", file: file, line: line)
  }
}
