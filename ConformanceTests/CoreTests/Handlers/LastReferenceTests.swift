// A promise that only its child holds, while it settles on the stack that continues with that child: whatever
// removes the child at that moment must not free the promise under the stack that settles it. It takes
// Address Sanitizer to see.

import DynamicPromise
import XCTest

final class LastReferenceTests: XCTestCase {
  /// Cancels a promise in its `deinit`, on whatever stack that runs.
  private final class Canceller: @unchecked Sendable {
    var promise: Promise?

    deinit { promise?.cancel() }
  }

  /// Root, child, grandchild. The root is freed because the child settles, its value with it, and that
  /// frees the grandchild, which is all that held the child.
  private func check(lastOn last: some ExecutionContext) throws {
    let context = SteppedContext()
    let grandchild: Promise
    do {
      let (root, resolver) = Promise.pending(on: context)
      grandchild = root.then { _ in 1 }.thenOn(last) { $0 }
      let canceller = Canceller()
      canceller.promise = grandchild
      resolver.fulfill(canceller)
    }
    // From here on only the root has that value, and only the child's job has the root.
    context.drain()
    XCTAssertTrue(try grandchild.reason() is CancellationError)
  }

  // Spec: H10.6
  func testRootsValueCancelsTheGrandchildThatIsNext() throws { try check(lastOn: .immediate) }

  // Spec: H10.6
  func testRootsValueCancelsTheGrandchildThatIsToBeScheduled() throws {
    try check(lastOn: SteppedContext())
    try check(lastOn: DispatchQueue(label: "last"))
  }
}
