import DynamicPromise
import TestSupport
import XCTest

/// In debug builds, the error of a type mismatch contains the line of the handler that expected another type.
final class MismatchPlaceTests: XCTestCase {
  private actor Desk {}

  private let text = Promise.resolved("text")

  // Spec: H4.6
  func testEveryTypedHandlerHasALine() throws {
    let desk = Desk()
    let on = DispatchQueue(label: "mismatch")
    let children: [(Promise, UInt)] = [
      (text.then { (_: Int) in 1 }, #line),
      (text.then { (_: Int) async in 1 }, #line),
      (text.then({ (_: Int) in 1 }, { _ in 2 }), #line),
      (text.then({ (_: Int) in 1 }, nil), #line),
      (text.thenOn(on) { (_: Int) in 1 }, #line),
      (text.thenOn(on) { (_: Int) async in 1 }, #line),
      (text.thenOn(on, { (_: Int) in 1 }, { _ in 2 }), #line),
      (text.thenOn(on, { (_: Int) in 1 }, nil), #line),
      (text.thenOnMain { (_: Int) in 1 }, #line),
      (text.thenOnMain { (_: Int) async in 1 }, #line),
      (text.thenOnMain({ (_: Int) in 1 }, { _ in 2 }), #line),
      (text.thenOnMain({ (_: Int) in 1 }, nil), #line),
      (text.thenOn(desk) { (_, _: Int) in 1 }, #line),
      (text.thenOn(desk) { (_, _: Int) async in 1 }, #line),
      (text.tap { (_: Int) in 1 }, #line),
      (text.tap { (_: Int) async in 1 }, #line),
      (text.spread { (_: Int) in 1 }, #line),
      (text.spread { (_: Int, _: Int) async in 1 }, #line),
    ]
    for (child, line) in children {
      try expectPlace(of: child, line)
    }
  }

  private func expectPlace(of child: Promise, _ line: UInt) throws {
    let reason = try reason(of: child, as: PromiseError.self)
    guard case .typeMismatch(_, _, _, let place) = reason else {
      return XCTFail("rejected with \(reason)", line: line)
    }
    #if DEBUG
      let expected = Promise.Origin(fileID: #fileID, line: line)
      XCTAssertEqual(place, expected, line: line)
      XCTAssertTrue("\(reason)".hasSuffix(" (handler at \(expected))"), "\(reason)", line: line)
    #else
      XCTAssertNil(place, line: line)
    #endif
  }
}
