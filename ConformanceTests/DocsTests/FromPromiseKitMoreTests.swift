import DynamicPromiseFoundation
import Foundation
import PromiseKitNames
import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// More rows of `docs/migration/promisekit.md`.
final class FromPromiseKitMoreTests: XCTestCase {
  private struct User: Codable, Equatable { let name: String }
  private enum Login: CancellableError { case closed; var isCancelled: Bool { true } }

  func testRequests() throws {
    let (session, url) = (Canned.session(), URL(string: "canned://server/ann")!)
    // row: URLSession.dataTask(.promise, with:)
    let loaded = session.request(url)
    // row: validate()
    let valid = session.request(url).validate()
    // row: JSONDecoder in a map
    let user = session.request(url).validate().decoded(as: User.self)
    for each in [loaded, valid] { XCTAssertNoThrow(try value(of: each, as: LoadedData.self)) }
    XCTAssertEqual(try value(of: user), User(name: "ann"))
    session.invalidateAndCancel()
  }

  func testNotificationsAndPrograms() throws {
    let (center, name) = (NotificationCenter(), Notification.Name("changed"))
    // row: NotificationCenter.observe(once:)
    let once = center.notificationPromise(for: name)
    center.post(name: name, object: nil)
    XCTAssertEqual(try value(of: once, as: Notification.self).name, name)
    let program = Process()
    program.executableURL = URL(fileURLWithPath: "/bin/echo")
    program.arguments = ["ann"]
    // row: Process.launch(.promise)
    let ended = program.runPromise()
    XCTAssertEqual(try value(of: ended, as: ProcessResult.self).text, "ann\n")
  }

  func testDispatchers() throws {
    let promise = load("user")
    // row: CurrentThreadDispatcher
    let inPlace = promise.then(on: .immediate) { (name: String) in name.count }
    // row: ConcurrencyLimitedDispatcher(limit:)
    let twoAtATime = promise.then(on: .operations("few", width: 2)) { (name: String) in name.count }
    // row: hang(_:)
    let waited = try promise.get(as: String.self)
    for each in [inPlace, twoAtATime] { XCTAssertEqual(try value(of: each), 3) }
    XCTAssertEqual(waited, "ann")
  }

  func testSeveral() throws {
    let (a, b) = (load("user"), load("settings"))
    // row: when(fulfilled: a, b, c, d, e, f)
    let six = when(fulfilled: [a, b, a, b, a, b]).map { (texts: [String]) in texts.joined() }
    // row: when(guarantees:)
    let sure = when(fulfilled: [Guarantee.value(1), Guarantee.value(2)])
    XCTAssertEqual(try value(of: six), "anndarkanndarkanndark")
    XCTAssertEqual(try value(of: sure), [1, 2])
  }

  func testCancelling() throws {
    let (download, slow) = (Download(), Promise())
    // row: context.timeout(after:)
    let limited = slow.timeout(0.001, cancelling: true)
    XCTAssertNoThrow(try reason(of: limited, as: PromiseError.self))
    XCTAssertTrue(slow.isCancelled)
    let (promise, seal) = Promise.pending()
    // row: appendCancellable(_:reject:)
    seal.onCancel { _ in download.stop() }
    let chain = promise.then { $0 }
    chain.root.cancel()
    XCTAssertTrue(download.wasStopped)
    // row: cancelAttempted, cancelledError
    XCTAssertTrue(chain.isCancelled && chain.error is CancellationError)
  }

  func testLooking() throws {
    let (promise, seen) = (load("user"), Recorded(0))
    @Sendable func look(_ result: Result<Any, any Error>) { seen.increment() }
    // row: tap { result in }
    let tapped = promise.tapResult { result in look(result) }
    // row: pipe(to:)
    let piped = promise.tapResult(on: .immediate) { result in look(result) }
    for each in [tapped, piped] { XCTAssertEqual(try value(of: each), "ann") }
    XCTAssertEqual(seen.value, 2)
    let closed = Promise(error: Login.closed)
    // row: CancellableError
    let passed = closed.catch(policy: .allErrorsExceptCancellation) { error in "\(error)" }
    XCTAssertTrue(try reason(of: passed, as: (any Error).self).isCancellation)
  }
}
