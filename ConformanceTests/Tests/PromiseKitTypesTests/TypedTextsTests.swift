import PromiseKitTypes
import TestSupport
import XCTest

import enum DynamicPromise.PromiseError

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
    XCTAssertEqual(
      errors.map(\.debugDescription),
      [
        "A promise handler returned itself", "Bad input was provided to a PromiseKit function",
        "The asynchronous sequence was cancelled", "Could not `compactMap<Int>`: x",
        "Could not `flatMap<Int>`: x", "The first or last element was requested for an empty sequence",
        "All thenables passed to race(fulfilled:) were rejected",
        "A closure was called with an invalid calling convention, probably (nil, nil)",
      ])
  }

  func testALostResolverLeavesItsPromisePendingIfSoConfigured() {
    let (former, logged) = (conf, Recorded([String]()))
    defer { conf = former }
    conf.lostPromisesStayPending = true
    conf.logHandler = { logged.append("\($0)") }
    let (made, sure) = (Promise<Int> { _ in }, Guarantee<Int>.pending().guarantee)
    weak var resolver: AnyObject?
    let child = Promise<Int> { resolver = $0.untyped }.map { $0 }
    XCTAssertTrue(made.isPending && sure.isPending && child.isPending && resolver != nil)
    let (promise, guarantee) = ("pendingPromiseDeallocated", "pendingGuaranteeDeallocated")
    XCTAssertEqual(logged.value, [promise, guarantee, promise])
    child.untyped.root.cancel()
    XCTAssertTrue(child.isRejected && resolver == nil)
    _ = Promise<Int> {
      resolver = $0.untyped
      $0.fulfill(1)
    }
    XCTAssertTrue(resolver == nil && logged.value.count == 3)
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
