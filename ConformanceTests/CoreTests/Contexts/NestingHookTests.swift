import DynamicPromise
import XCTest

private final class Entries: @unchecked Sendable {
  private(set) var all: [String] = []
  func add(_ entry: String) { all.append(entry) }
}

final class NestingHookTests: XCTestCase {
  // Spec: X6.1
  func testAHandlerOnAContextThatRunsJobsAtOnceWaitsForTheHook() {
    let entries = Entries()
    let promise = Promise(onCancel: { _ in
      entries.add("hook begins")
      Promise.resolved(1, on: AtOnce()).then { _ in entries.add("handler") }
      entries.add("hook ends")
    })
    promise.cancel()
    XCTAssertEqual(entries.all, ["hook begins", "hook ends", "handler"])
  }

  // Spec: X6.3
  func testHooksRunBeforeCancelReturnsInAnObserverInPlace() {
    let entries = Entries()
    let promise = Promise(on: .immediate)
    let (other, resolver) = Promise.pending(on: .immediate)
    resolver.onCancel { _ in entries.add("hook") }
    promise.onSuccess(on: .immediate) { (_: Any) in
      other.cancel()
      entries.add("cancel has returned")
    }
    promise.fulfill(1)
    XCTAssertEqual(entries.all, ["hook", "cancel has returned"])
  }
}
