import PromiseKitTypes
import TestSupport
import XCTest

final class TypedEndsTests: XCTestCase {
  private let failed = Promise<Int>(error: NumberedError(1))
  private let cancelled = Promise<Int>(error: PMKError.cancelled)

  func testCatchAndItsPolicy() {
    var heard: [String] = []
    end(of: failed.catch { heard.append("\(($0 as? NumberedError)?.number ?? 0)") })
    end(of: cancelled.catch { _ in heard.append("by default") })
    end(of: cancelled.catch(policy: .allErrors) { heard.append("cancelled: \($0.isCancelled)") })
    end(of: Promise.value(1).catch { _ in heard.append("of a value") })
    XCTAssertEqual(heard, ["1", "cancelled: true"])
    XCTAssertFalse(NumberedError(1).isCancelled)
  }

  func testThePolicyOfTheConfiguration() {
    defer { conf.catchPolicy = .allErrorsExceptCancellation }
    conf.catchPolicy = .allErrors
    var heard = false
    end(of: cancelled.catch { _ in heard = true })
    XCTAssertTrue(heard)
  }

  func testFinallyRunsAfterTheHandler() {
    var log: [String] = []
    let ended = expectation(description: "ended")
    ended.expectedFulfillmentCount = 3
    failed.catch { _ in log.append("caught") }.finally {
      log.append("finally")
      ended.fulfill()
    }
    for promise in [cancelled, .value(1)] {
      promise.catch { _ in log.append("no") }.finally { ended.fulfill() }
    }
    wait(for: [ended], timeout: 20)
    XCTAssertEqual(log, ["caught", "finally"])
  }

  func testCatchOfOneType() {
    var heard: [Int] = []
    func chain(_ promise: Promise<Int>) -> PMKFinalizer {
      promise.catch(only: NumberedError.self) { heard.append($0.number) }.catch(policy: .allErrors) { _ in
        heard.append(-1)
      }
    }
    end(of: chain(failed))
    end(of: chain(cancelled))
    end(of: chain(.value(1)))
    XCTAssertEqual(heard, [1, -1])
  }

  func testRecover() throws {
    XCTAssertEqual(try value(of: failed.recover { _ in Promise.value(2) }), 2)
    XCTAssertEqual(try value(of: Promise.value(1).recover { _ in Promise.value(2) }), 1)
    let again = failed.recover { _ -> Promise<Int> in throw NumberedError(3) }
    XCTAssertEqual(try reason(of: again), NumberedError(3))
    let passed = cancelled.recover { _ in Promise.value(2) }
    XCTAssertTrue(try reason(of: passed, as: PMKError.self).isCancelled)
    XCTAssertEqual(try value(of: cancelled.recover(policy: .allErrors) { _ in Promise.value(4) }), 4)
    let one = failed.recover(only: NumberedError.self) { Promise.value($0.number + 4) }
    XCTAssertEqual(try value(of: one), 5)
    let other = failed.recover(only: PMKError.self) { _ in Promise.value(6) }
    XCTAssertEqual(try reason(of: other), NumberedError(1))
    let sure: Guarantee<Int> = cancelled.recover { _ in .value(7) }
    XCTAssertEqual(try value(of: sure), 7)
  }

  func testRecoverWithoutAValue() throws {
    var heard = 0
    let sure: Guarantee<Void> = cancelled.asVoid().recover { _ in heard += 1 }
    try value(of: sure)
    try value(of: failed.asVoid().recover { error throws -> Void in heard += 1 })
    let passed = cancelled.asVoid().recover(policy: .allErrorsExceptCancellation) { _ in heard += 10 }
    XCTAssertTrue(try reason(of: passed, as: PMKError.self).isCancelled)
    XCTAssertEqual(heard, 2)
  }

  func testCauterizeLogs() {
    let (former, logged) = (conf.logHandler, Recorded([String]()))
    defer { conf.logHandler = former }
    conf.logHandler = { event in
      if case .cauterized(let error) = event { logged.append("\(error is NumberedError)") }
    }
    end(of: failed.cauterize())
    end(of: cancelled.cauterize())
    XCTAssertEqual(logged.value, ["true"])
  }

  func testEnsure() throws {
    var runs = 0
    XCTAssertEqual(try value(of: Promise.value(1).ensure { runs += 1 }), 1)
    XCTAssertEqual(try reason(of: failed.ensure { runs += 1 }), NumberedError(1))
    let (closed, close) = Guarantee<Void>.pending()
    let waiting = expectation(description: "waiting")
    let ensured = failed.ensureThen {
      waiting.fulfill()
      return closed
    }
    wait(for: [waiting], timeout: 20)
    XCTAssertTrue(ensured.isPending)
    close(())
    XCTAssertEqual(try reason(of: ensured), NumberedError(1))
    XCTAssertEqual(runs, 2)
  }
}
