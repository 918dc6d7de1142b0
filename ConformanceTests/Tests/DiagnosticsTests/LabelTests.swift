// Names in the text of the tree (H9.5).

import DynamicPromise
import DynamicPromiseDiagnostics
import XCTest

final class LabelTests: XCTestCase {
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
}
