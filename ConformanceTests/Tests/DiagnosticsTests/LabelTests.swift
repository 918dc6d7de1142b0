// Names in the text of the tree (H9.5).

import Dispatch
import DynamicPromise
import DynamicPromiseDiagnostics
import Foundation
import XCTest

final class LabelTests: XCTestCase {
  private func address(_ promise: Promise) -> String {
    "0x" + String(UInt(bitPattern: Unmanaged.passUnretained(promise).toOpaque()), radix: 16)
  }

  // Spec: H9.5
  func testNamesAreInTheTreesText() {
    let other = Promise().named("upload")
    let root = Promise().named("login")
    let page = root.thenOn(.immediate) { _ in other }
    let title = page.then { $0 }.named("title")
    root.fulfill(1)
    XCTAssertEqual(
      title.treeDescription,
      """
      login: Promise(fulfilled: 1)
        Promise(pending) follows upload: Promise(pending)
          title: Promise(pending)  <--
      """)
    XCTAssertEqual(title.treeDescription, title.treeDescription)
    XCTAssertEqual(root.description, "Promise(fulfilled: 1)", "a description contains no name")
  }

  // Spec: H9.5
  func testTheLastNameCounts() {
    let promise = Promise().named("first").named("second")
    XCTAssertEqual(promise.treeDescription, "second: Promise(pending)")
    XCTAssertEqual(promise.named("").treeDescription, "Promise(pending)")
    XCTAssertEqual(promise.named("third").treeDescription, "third: Promise(pending)")
  }

  // Spec: H9.5
  func testANameIsFreedWithItsPromise() {
    var addresses: Set<String> = []
    var isUsedAgain = false
    for round in 0..<2000 {
      // A new promise has no name, even at a reused address. Every second freed promise is settled.
      let promise = round % 2 == 0 ? Promise() : Promise.resolved(1)
      XCTAssertFalse(promise.treeDescription.contains("name"))
      isUsedAgain = !addresses.insert(address(promise)).inserted || isUsedAgain
      promise.named("name \(round)")
      XCTAssertTrue(promise.treeDescription.hasPrefix("name \(round): "))
    }
    // Address Sanitizer prevents the reuse of freed memory.
    let isQuarantined = dlsym(nil, "__asan_init") != nil
    XCTAssertTrue(isUsedAgain || isQuarantined)
  }
}
