import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// example: foundation-signal
/// Fulfilled with the signal's number when the process receives it.
func received(_ number: Int32) -> Promise {
  Promise { resolver in
    signal(number, SIG_IGN)  // its default action would end the process
    nonisolated(unsafe) let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { resolver.fulfill(number) }
    source.setCancelHandler { signal(number, SIG_DFL) }
    resolver.onTermination { _ in source.cancel() }
    source.activate()
  }
}
// end

/// The examples of `docs/foundation.md`.
final class FoundationExamplesTests: XCTestCase {
  private let address = URL(string: "canned://server/Ann")!
  private var session: URLSession!
  private var file: URL!

  override func setUp() {
    session = Canned.session()
    file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  }

  override func tearDown() {
    session.invalidateAndCancel()
    try? FileManager.default.removeItem(at: file)
  }

  private struct User: Codable, Equatable, Sendable { var name: String }

  // example: foundation-store
  final class Database: ValueStore {
    let users = Recorded<[String]>([])

    func save(_ value: Any) throws -> Promise? {
      Promise.task { [users, text = "\(value)"] in users.change { $0.append(text) } }
    }
  }
  // end

  func testData() throws {
    let session = session!
    for (name, expected) in [("Ann", ["name": "Ann"]), ("nobody", ["error": "status 404"])] {
      let address = URL(string: "canned://server/\(name)")!
      // example: foundation-data
      let user = session.dataPromise(from: address, accepting: 200..<300)
        .then { (loaded: LoadedData) in try JSONDecoder().decode([String: String].self, from: loaded.data) }
        .catch { (error: HTTPStatusError) in ["error": "status \(error.statusCode)"] }
      // end
      XCTAssertEqual(try value(of: user), expected)
    }
  }

  func testDownload() throws {
    // This test needs no server, because the session refuses the address at once. `URLSessionTests` tests
    // real downloads.
    let (session, destination) = (session!, file!)
    let address = URL(string: "nonsense://server/map")!
    // example: foundation-download
    let map = session.downloadPromise(from: address, to: destination)
      .then { (download: DownloadedFile) in try Data(contentsOf: download.file).count }
    // end
    XCTAssertEqual(try reason(of: map, as: URLError.self).code, .unsupportedURL)
  }

  func testWait() throws {
    let print = Log()
    // example: foundation-wait
    let shown = load("user").thenOnMain { name in "Hello, \(name)" }
    if shown.runLoopWait(timeout: 10) {
      print(shown)
    }
    // end
    XCTAssertEqual(print.lines, ["Promise(fulfilled: Hello, ann)"])
  }

  func testErrors() {
    // example: foundation-errors
    let error = PromiseError.rejected(reason: "no paper") as NSError
    assert(error.localizedDescription == "rejected: no paper")
    assert(error.localizedFailureReason == "no paper")
    assert(error.code == 2)
    // end
  }

  func testRequest() throws {
    let address = URL(string: "canned://server")!
    let (session, database) = (session!, Database())
    // example: foundation-request
    func loadUser(_ name: String) -> Promise {
      session.request(address.appendingPathComponent(name))
        .validate()
        .decoded(as: User.self)
        .saved(in: database)
    }
    // end
    XCTAssertEqual(try value(of: loadUser("Ann")), User(name: "Ann"))
    XCTAssertEqual(database.users.value, [#"User(name: "Ann")"#])
  }

  func testProgress() throws {
    let (file, show) = (file!, Log())
    // example: foundation-progress
    let meter = TransferMeter { step in show(step.fraction ?? 0) }
    let map = session.dataPromise(from: address, progress: meter).saved(to: file)
    // end
    _ = try outcome(of: map).get()
    XCTAssertEqual(try String(contentsOf: file, encoding: .utf8), #"{"name": "Ann"}"#)
    XCTAssertEqual(show.lines.last, "1.0")
  }

  func testSteps() async throws {
    let show = Log()
    // example: foundation-steps
    let meter = TransferMeter()
    let user = session.dataPromise(from: address, progress: meter).decoded(as: User.self)
    for await step in meter { show(step.fraction ?? 0) }
    print(try await user.value)
    // end
    XCTAssertEqual(show.lines.last, "1.0")
    XCTAssertEqual(user.result.flatMap { try? $0.get() } as? User, User(name: "Ann"))
  }

  func testNotification() throws {
    let center = NotificationCenter()
    let login = Notification.Name("login")
    // example: foundation-notification
    let name = center.notificationPromise(for: login)
      .then { (notification: Notification) in notification.userInfo?["name"] as? String }
      .setTimeout(60)
    // end
    center.post(name: login, object: nil, userInfo: ["name": "Ann"])
    XCTAssertEqual(try value(of: name), "Ann")
  }

  #if os(macOS) || os(Linux)
    func testProcess() throws {
      // example: foundation-process
      let uname = Process()
      uname.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      uname.arguments = ["uname", "-s"]
      let system = uname.runPromise()
        .then { (result: ProcessResult) in result.text.trimmingCharacters(in: .whitespacesAndNewlines) }
        .catch { (failure: ProcessFailure) in "unknown: \(failure.result.errorText)" }
      // end
      XCTAssertTrue(["Linux", "Darwin"].contains(try value(of: system, as: String.self)))
    }
  #endif

  /// Uses a signal that is ignored by default, because the signal may be sent before Dispatch listens.
  func testASignalIsReceived() throws {
    let promise = received(SIGWINCH)
    let received = promise.then { (number: Int32) in number }
    waitUntil {
      kill(getpid(), SIGWINCH)
      return received.isSettled
    }
    XCTAssertEqual(try value(of: received), SIGWINCH)
  }

  func testAnInterruptStopsTheWork() throws {
    let root = Promise()
    let work = root.then { $0 }
    // example: foundation-interrupt
    let interrupt = received(SIGINT).then { _ in work.withdraw() }
    // end
    interrupt.parent?.fulfill(SIGINT)
    XCTAssertTrue(try value(of: interrupt))
    XCTAssertTrue(work.isCancelled && root.isCancelled)
    let other = received(SIGINT).then { _ in XCTFail("SIGINT was not sent") }
    XCTAssertTrue(other.withdraw())
    XCTAssertTrue(other.root.isCancelled)
  }
}
