// The origin of a promise, and the origin in the error of a broken promise.

import DynamicPromise
import XCTest

final class OriginTests: XCTestCase {
  private static let file = "CoreTests/OriginTests.swift"

  func testPromisesWithAResolverKnowTheirOrigin() {
    let context = SteppedContext()
    let line = #line
    let promises = [
      Promise.pending().promise,
      Promise.pending(on: context).promise,
      Promise { _ in },
      Promise(on: context) { _ in },
    ]
    for (offset, promise) in promises.enumerated() {
      XCTAssertEqual(promise.origin?.line, line + 2 + offset)
      XCTAssertEqual(promise.origin?.fileID, Self.file)
      XCTAssertEqual(promise.origin.map { "\($0)" }, "\(Self.file):\(line + 2 + offset)")
    }
  }

  func testAWrapperPassesItsCallersPlaceOn() {
    func load(fileID: StaticString = #fileID, line: UInt = #line) -> [Promise] {
      [
        Promise.pending(fileID: fileID, line: line).promise, Promise({ _ in }, fileID: fileID, line: line),
      ]
    }
    let promises = load()
    let line = #line - 1
    XCTAssertEqual(promises.map { $0.origin?.line }, [line, line])
  }

  // Spec: L2.2
  func testBrokenPromiseSaysWhereItWasMade() throws {
    let made = Promise { _ in }
    let line = #line - 1
    let end = made.then { $0 }.then { $0 }
    guard case PromiseError.brokenAt(let origin) = try end.reason() else { return XCTFail("\(end)") }
    XCTAssertEqual(origin, made.origin)
    XCTAssertEqual(
      "\(try end.reason())",
      "broken: the promise can no longer be resolved (made at \(Self.file):\(line))")
  }

  // Spec: L2.2
  func testBrokenIsMatchedWithoutItsPlace() throws {
    for error in [
      PromiseError.broken, PromiseError.brokenAt(Promise.Origin()), try Promise { _ in }.reason(),
    ] {
      guard case PromiseError.broken = error else { return XCTFail("\(error)") }
      do { throw error } catch PromiseError.broken {} catch { XCTFail("\(error)") }
    }
    if case PromiseError.broken = PromiseError.timeout as any Error { XCTFail("matches any error") }
  }
}
