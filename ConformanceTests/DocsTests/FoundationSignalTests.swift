import Dispatch
import DynamicPromise
import Foundation
import TestSupport
import XCTest

// example: foundation-signal
/// Fulfilled with the signal's number when the process receives it.
func received(_ number: Int32) -> Promise {
  Promise { resolver in
    signal(number, SIG_IGN)  // its default action would end the process
    nonisolated(unsafe) let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { resolver.fulfill(number) }
    source.setCancelHandler { signal(number, SIG_DFL) }
    resolver.onTermination { _ in source.cancel() }
    source.activate()
  }
}
// end

/// The interrupt of `docs/foundation.md`.
final class FoundationSignalTests: XCTestCase {
  /// By a signal that does nothing else, because it may be sent before Dispatch listens, and afterwards.
  func testASignalIsReceived() throws {
    let promise = received(SIGWINCH)
    let received = promise.then { (number: Int32) in number }
    let deadline = Date(timeIntervalSinceNow: 20)
    while received.isPending, Date() < deadline {
      kill(getpid(), SIGWINCH)
      let turn = expectation(description: "a turn")
      DispatchQueue.global().async { turn.fulfill() }
      wait(for: [turn], timeout: 20)
    }
    XCTAssertEqual(try value(of: received), SIGWINCH)
  }

  func testAnInterruptStopsTheWork() throws {
    let root = Promise()
    let work = root.then { $0 }
    // example: foundation-interrupt
    let interrupt = received(SIGINT).then { _ in work.withdraw() }
    // end
    interrupt.parent?.fulfill(SIGINT)
    XCTAssertTrue(try value(of: interrupt))
    XCTAssertTrue(work.isCancelled && root.isCancelled)
    let other = received(SIGINT).then { _ in XCTFail("it was not sent") }
    XCTAssertTrue(other.withdraw())
    XCTAssertTrue(other.root.isCancelled)
  }
}
