import DynamicPromise
import TestSupport
import XCTest

/// The program at the top of the page on RXPromise.
final class FromRXPromiseStartTests: XCTestCase {
  func testTheFirstTenMinutes() throws {
    let (download, texts, errors) = (Download(), Recorded<[String]>([]), Recorded(0))
    @Sendable func display(_ text: String) { texts.change { $0.append(text) } }
    @Sendable func note(_ error: any Error) { errors.change { $0 += 1 } }
    // example: from-rxpromise
    func user(_ download: Download) -> Promise {  // was: - (RXPromise*) userWithDownload:(Download*)download
      Promise { resolver in  // was: RXPromise* promise = [[RXPromise alloc] init];
        download.start { name in resolver.fulfill(name) }  // was: [promise fulfillWithValue:name];
        resolver.onCancel { _ in download.stop() }  // was: promise.then(nil, ^id(NSError* e) { ... });
      }
    }
    let shown = user(download)
      .then { (name: String) in load("greeting of \(name)") }  // was: .then(^id(NSString* name) { ... }, nil)
      .thenOnMain { (text: String) in display(text) }  // was: .thenOnMain(^id(NSString* text) { ... }, nil)
      .catch { error in note(error) }  // was: .then(nil, ^id(NSError* error) { ... })
    // end
    download.finish("ann")
    _ = try outcome(of: shown)
    XCTAssertEqual(texts.value, ["hello, ann"])

    let stopped = Download()
    let cancelled = user(stopped).catch { error in note(error) }
    cancelled.root.cancel()
    _ = try outcome(of: cancelled)
    XCTAssertTrue(stopped.wasStopped)
    XCTAssertEqual(errors.value, 1)
  }
}
