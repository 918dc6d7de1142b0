import PromiseKitTypes
import TestSupport
import XCTest

extension XCTestCase {
  /// Waits until `promise` is fulfilled, and serves the main queue meanwhile.
  func value<P: Thenable>(of promise: P) throws -> P.T { try value(of: promise.untyped, as: P.T.self) }

  /// Waits until `promise` is rejected, and expects an error of type `E`.
  func reason<E: Error>(of promise: some Thenable, as type: E.Type = E.self) throws -> E {
    try reason(of: promise.untyped, as: type)
  }

  /// Waits until the chain has ended.
  func end(of finalizer: PMKFinalizer) {
    let ended = expectation(description: "ended")
    finalizer.finally { ended.fulfill() }
    wait(for: [ended], timeout: 20)
  }
}
