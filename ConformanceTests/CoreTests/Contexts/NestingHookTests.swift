import DynamicPromise
import XCTest

final class NestingHookTests: XCTestCase {
  // Spec: X6.1
  func testAHandlerOnAContextThatRunsJobsAtOnceWaitsForTheHook() {
    let entries = Log<String>()
    let promise = Promise(onCancel: { _ in
      entries.append("hook begins")
      Promise.resolved(1, on: AtOnce()).then { _ in entries.append("handler") }
      entries.append("hook ends")
    })
    promise.cancel()
    XCTAssertEqual(entries.all, ["hook begins", "hook ends", "handler"])
  }

  // Spec: X6.3
  func testHooksRunBeforeCancelReturnsInAnObserverInPlace() {
    let entries = Log<String>()
    let promise = Promise(on: .immediate)
    let (other, resolver) = Promise.pending(on: .immediate)
    resolver.onCancel { _ in entries.append("hook") }
    promise.onSuccess(on: .immediate) { (_: Any) in
      other.cancel()
      entries.append("cancel has returned")
    }
    promise.fulfill(1)
    XCTAssertEqual(entries.all, ["hook", "cancel has returned"])
  }
}
