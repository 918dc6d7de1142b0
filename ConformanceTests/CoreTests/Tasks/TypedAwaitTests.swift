// Awaiting a value of a type, and one that need not be Sendable: the rest of `AwaitTests`.

import DynamicPromise
import XCTest

final class TypedAwaitTests: XCTestCase {
  // Spec: T1.8
  func testTypedValue() async throws {
    let promise = Promise.resolved(7)
    let number = try await promise.value(as: Int.self)
    XCTAssertEqual(number, 7)
    let sameNumber = try await promise.cancellingValue(as: Int.self)
    XCTAssertEqual(sameNumber, 7)
    do {
      _ = try await promise.value(as: String.self)
      XCTFail("no string")
    } catch PromiseError.typeMismatch(let expected, let found, _, _) {
      XCTAssertTrue(expected == String.self)
      XCTAssertTrue(found == Int.self)
    }
  }

  // Spec: T1.9
  @MainActor
  func testValueNeedNotBeSendable() async throws {
    let promise = Promise.task { Box(3) }
    let typed = try await promise.value(as: Box.self)
    XCTAssertEqual(typed.number, 3)
    #if compiler(>=6.2)
      let box = try await promise.value as? Box
      XCTAssertTrue(typed === box)
    #endif
    let keeper = Keeper()
    let kept = try await keeper.read(Promise.task { Box(4) })
    XCTAssertEqual(kept, 4)
  }
}

private final class Box {
  var number: Int
  init(_ number: Int) { self.number = number }
}

private actor Keeper {
  private var box: Box?

  func read(_ promise: Promise) async throws -> Int {
    #if compiler(>=6.2)
      box = try await promise.value as? Box
    #endif
    box = try await promise.cancellingValue(as: Box.self)
    return box?.number ?? 0
  }
}
