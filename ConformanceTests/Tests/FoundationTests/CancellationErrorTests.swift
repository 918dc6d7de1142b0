import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Foundation's errors that are cancellations.
final class CancellationErrorTests: XCTestCase {
  func testWhichOnesAre() {
    let cancellations: [any Error] = [
      URLError(.cancelled), CocoaError(.userCancelled), NSError(domain: NSURLErrorDomain, code: -999),
      NSError(domain: NSCocoaErrorDomain, code: 3072),
    ]
    for error in cancellations {
      XCTAssertTrue(error.isCancellation, "\(error)")
      XCTAssertTrue(Promise.rejected(error).isCancelled, "\(error)")
    }
    let others: [any Error] = [
      URLError(.timedOut), URLError(.userCancelledAuthentication), CocoaError(.fileNoSuchFile),
      NSError(domain: NSPOSIXErrorDomain, code: -999), NSError(domain: NSURLErrorDomain, code: 3072),
    ]
    for error in others {
      XCTAssertFalse(error.isCancellation, "\(error)")
      let promise = Promise.rejected(error)
      XCTAssertFalse(promise.isCancelled, "\(error)")
      promise.ignoreErrors()
    }
  }
}
