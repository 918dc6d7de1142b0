import DynamicPromise
import DynamicPromiseDiagnostics
import Foundation
import TestSupport
import XCTest

/// The README's chain, recorded: what a viewer gets to see of it.
final class ReadmeTraceTests: XCTestCase {
  // Spec: D3.6
  func testTheReadmesChainOpensAsATrace() async throws {
    let view = UserView()
    let server = Server(answer: Data(#"{"name": "Ann"}"#.utf8))
    let recorder = Recorder()
    let chain = Server.$current.withValue(server) { showUser(7, in: view) }
    server.respond()
    let shown = expectation(description: "shown")
    chain.finally { shown.fulfill() }
    await fulfillment(of: [shown], timeout: 20)
    recorder.end()

    let events = try TraceFormat.events(recorder.trace)
    XCTAssertEqual(TraceFormat.faults(in: events), [])
    let tracks = events.filter { $0["name"] as? String == "thread_name" }
    let main = tracks.first {
      ($0["args"] as? TraceFormat.Event)?["name"] as? String == "com.apple.main-thread"
    }
    let onMain = events.filter {
      $0["cat"] as? String == "handler" && $0["tid"] as? Int == main?["tid"] as? Int
    }
    XCTAssertEqual(onMain.count, 1, "the view is shown in a slice on the main track")
    // The JSON, the object and the view each begin where the step before has settled.
    let arrows = events.filter { $0["ph"] as? String == "f" }
    XCTAssertGreaterThanOrEqual(arrows.count, 3)
    let begun = try XCTUnwrap(onMain.first?["ts"] as? Double)
    XCTAssertTrue(
      arrows.contains { $0["tid"] as? Int == main?["tid"] as? Int && $0["ts"] as? Double == begun },
      "an arrow points to it")
  }
}
