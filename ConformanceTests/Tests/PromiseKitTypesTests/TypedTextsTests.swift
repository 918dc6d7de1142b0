import PromiseKitTypes
import TestSupport
import XCTest

/// The texts of errors for logs and for users.
final class TypedTextsTests: XCTestCase {
  private enum Fault: Error { case offline }

  func testPromisesAreDescribedAsPromiseKitDescribesThem() {
    let (pending, seal) = Promise<Int>.pending()
    XCTAssertEqual("\(pending)", "Promise(…Int)")
    XCTAssertEqual("\(Promise.value(3))", "Promise(3)")
    XCTAssertEqual("\(Promise<Int>(error: Fault.offline))", "Promise(offline)")
    XCTAssertEqual(pending.debugDescription, "Promise<Int>.pending")
    XCTAssertEqual(Promise().debugDescription, "Promise<()>.fulfilled(())")
    XCTAssertEqual(
      Promise<String>(error: Fault.offline).debugDescription, "Promise<String>.rejected(Fault.offline)")
    seal.fulfill(1)
  }

  func testErrorsAreDescribed() {
    let errors: [PMKError] = [
      .returnedSelf, .badInput, .cancelled, .compactMap("x", Int.self), .flatMap("x", Int.self),
      .emptySequence, .noWinner, .invalidCallingConvention,
    ]
    for error in errors { XCTAssertEqual(error.localizedDescription, error.debugDescription) }
    // `compactMap` and `flatMap` have the same text.
    XCTAssertEqual(Set(errors.map(\.debugDescription)).count, errors.count - 1)
    XCTAssertEqual(
      PMKError.compactMap("x", Int.self).debugDescription,
      "The closure of compactMap<Int> returned nil for x")
    XCTAssertEqual(
      PMKError.noWinner.debugDescription, "All thenables passed to race(fulfilled:) were rejected")
  }

  func testALostResolverNamesTheCallersLine() throws {
    // `error` is read in another statement, because Swift 6.0 retains the resolver until the end of a
    // statement.
    let (promise, guarantee) = (Promise<Int>.pending().promise, Guarantee<Int>.pending().guarantee)
    let first = #line - 1
    let (made, sure) = (Promise<Int> { _ in }, Guarantee<Int> { _ in })
    let lost = [
      (promise.error, first), (guarantee.error, first), (made.error, first + 2), (sure.error, first + 2),
    ]
    for (error, line) in lost {
      guard case PromiseError.brokenAt(let origin?)? = error else {
        XCTFail("\(line): \(String(describing: error))")
        continue
      }
      XCTAssertEqual(origin.line, Int(line))
      XCTAssertTrue(origin.fileID.hasSuffix("TypedTextsTests.swift"))
    }
    let queue = DispatchQueue(label: "work")
    let work = queue.async(.promise) { 1 }
    let failing = queue.async(.promise) { () throws -> Int in throw Fault.offline }
    let line = #line - 1
    XCTAssertEqual([work.untyped, failing.untyped].map { $0.origin?.line }, [line - 1, line])
    XCTAssertEqual(try reason(of: failing), Fault.offline)
  }

  func testWaitingOnTheMainThreadIsLogged() throws { try onMainActor(self) { try $0.waiting() } }

  @MainActor private func waiting() throws {
    let former = conf.logHandler
    defer { conf.logHandler = former }
    var logged = 0
    conf.logHandler = { event in
      if case .waitOnMainThread = event { logged += 1 }
    }
    XCTAssertEqual(try Promise.value(1).wait(), 1)
    XCTAssertEqual(Guarantee.value(2).wait(), 2)
    XCTAssertEqual(logged, 2)
    let elsewhere = DispatchQueue.global().async(.promise) { try Promise.value(3).wait() }
    XCTAssertEqual(try value(of: elsewhere), 3)
    XCTAssertEqual(logged, 2)
  }

  func testHangServesTheMainQueue() throws { try onMainActor(self) { try $0.hanging() } }

  @MainActor private func hanging() throws {
    XCTAssertEqual(try hang(after(.milliseconds(1)).then { Promise.value(Thread.isMainThread) }), true)
    XCTAssertThrowsError(try hang(after(.milliseconds(1)).done { throw Fault.offline })) {
      XCTAssertEqual($0 as? Fault, .offline)
    }
  }
}
