// Handlers for rejections: `Sources/PromiseKitNames/Ends.swift`.

import PromiseKitNames
import TestSupport
import XCTest

final class EndNamesTests: XCTestCase {
  private let failed = Promise(error: NumberedError(1))
  private let cancelled = Promise(error: PMKError.cancelled)

  // Spec: N4.1
  func testCatchWithAPolicy() throws {
    let heard = Recorded([String]())
    @Sendable func hear(_ text: String) -> String {
      heard.append(text)
      return text
    }
    XCTAssertEqual(try value(of: failed.catch(policy: .allErrors) { _ in hear("all") }), "all")
    XCTAssertEqual(try value(of: cancelled.catch(policy: .allErrors) { _ in hear("cancel") }), "cancel")
    XCTAssertEqual(
      try value(of: failed.catch(policy: .allErrorsExceptCancellation) { _ in hear("error") }), "error")
    let passed = cancelled.catch(policy: .allErrorsExceptCancellation) { _ in hear("never") }
    XCTAssertTrue(try reason(of: passed, as: (any Error).self).isCancellation)
    let onQueue = cancelled.catch(on: .main) { _ in hear("never") }
    XCTAssertTrue(try reason(of: onQueue, as: (any Error).self).isCancellation)
    XCTAssertEqual(try value(of: Promise.value(2).catch(policy: .allErrors) { _ in hear("never") }), 2)
    XCTAssertEqual(heard.value, ["all", "cancel", "error"])
  }

  // Spec: N4.2
  func testPlainCatchHearsOfCancellations() throws {
    XCTAssertEqual(try value(of: cancelled.catch { _ in "heard" }), "heard")
  }

  // Spec: N4.3
  func testRecover() throws {
    XCTAssertEqual(try value(of: failed.recover { _ in Promise.value("mended") }), "mended")
    XCTAssertEqual(try value(of: failed.recover { _ in 5 }), 5)
    XCTAssertEqual(try reason(of: failed.recover { _ in throw NumberedError(2) }), NumberedError(2))
    XCTAssertEqual(try value(of: Promise.value(2).recover { _ in 3 }), 2)
    XCTAssertTrue(try reason(of: cancelled.recover { _ in 5 }, as: (any Error).self).isCancellation)
    XCTAssertEqual(try value(of: cancelled.recover(policy: .allErrors) { _ in 5 }), 5)
  }

  // Spec: N4.4
  func testRecoverOfOneType() throws {
    XCTAssertEqual(try value(of: failed.recover(only: NumberedError.self) { $0.number }), 1)
    XCTAssertEqual(try reason(of: failed.recover(only: CancellationError.self) { _ in 5 }), NumberedError(1))
    XCTAssertEqual(
      try value(of: cancelled.recover(only: CancellationError.self, policy: .allErrors) { _ in 5 }), 5)
  }

  // Spec: N4.5
  func testAHandlerOfACancelledPromiseDoesNotRecover() throws {
    let (root, heard) = (Promise(), Recorded(0))
    let mended = root.recover(policy: .allErrors) { _ in heard.change { $0 += 1 } }
    root.cancel()
    XCTAssertTrue(try reason(of: mended, as: (any Error).self).isCancellation)
    XCTAssertEqual(heard.value, 1)
  }

  // Spec: N4.6
  func testEnsure() throws {
    let runs = Recorded(0)
    XCTAssertEqual(try value(of: Promise.value(1).ensure { runs.change { $0 += 1 } }), 1)
    XCTAssertEqual(try reason(of: failed.ensure { runs.change { $0 += 1 } }), NumberedError(1))
    XCTAssertEqual(try reason(of: failed.finally(on: .main) { runs.change { $0 += 1 } }), NumberedError(1))
    XCTAssertEqual(runs.value, 3)
    let (pending, ran) = (Promise(), expectation(description: "ran"))
    pending.ensure { ran.fulfill() }.cancel()
    pending.fulfill(1)
    wait(for: [ran], timeout: 20)
    XCTAssertEqual(try reason(of: Promise.value(1).ensure { throw NumberedError(2) }), NumberedError(2))
  }

  // Spec: N4.7
  func testEnsureThenIsWaitedFor() throws {
    let (torn, order) = (Promise(), Recorded([String]()))
    let ended = failed.ensureThen { torn }.catch { _ in order.append("ended") }
    order.append("torn")
    torn.fulfill(())
    _ = try outcome(of: ended)
    XCTAssertEqual(order.value, ["torn", "ended"])
    XCTAssertEqual(
      try reason(of: Promise.value(1).ensureThen { Promise(error: NumberedError(3)) }), NumberedError(3))
  }

  // Spec: N4.8
  func testCauterize() throws {
    let logged = Recorded([NumberedError]())
    @Sendable func log(_ error: any Error) { logged.append(error as! NumberedError) }
    XCTAssertNoThrow(try value(of: failed.cauterize(log), as: Void.self))
    XCTAssertNoThrow(try value(of: cancelled.cauterize(log), as: Void.self))
    XCTAssertNoThrow(try value(of: Promise.value(1).cauterize(log), as: Void.self))
    XCTAssertEqual(logged.value, [NumberedError(1)])
  }

  // Spec: N4.9
  func testStateByPromiseKitsNames() throws {
    XCTAssertFalse(Promise().isResolved)
    XCTAssertTrue(failed.isResolved)
    XCTAssertEqual(failed.error as? NumberedError, NumberedError(1))
    XCTAssertNil(Promise.value(1).error)
    XCTAssertNil(Promise().error)
  }
}
