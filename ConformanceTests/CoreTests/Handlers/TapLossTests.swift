// What `tapCatch` means for a rejection that is not handled.

import DynamicPromise
import XCTest

/// A rejection that was only looked at is still lost.
final class TapLossTests: LossTestCase {
  // Spec: H6.10, L5.4
  func testALookHandlesNothing() {
    expect(1, "tapCatch") { failure, context in
      Promise.rejected(failure, on: context).tapCatch { _ in 0 }
    }
    expect(0, "tapCatch and catch") { failure, context in
      Promise.rejected(failure, on: context).tapCatch { _ in 0 }.catch { _ in 0 }
    }
  }
}
