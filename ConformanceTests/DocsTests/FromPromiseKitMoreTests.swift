import DynamicPromiseFoundation
import Foundation
import PromiseKitNames
import TestSupport
import XCTest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The rows of `docs/migration/promisekit.md` for AnyPromise (PromiseKit's promise for Objective-C), and for
/// PromiseKit's extensions.
final class FromPromiseKitMoreTests: XCTestCase {
  private struct User: Codable, Equatable { let name: String }
  private enum Login: CancellableError { case closed; var isCancelled: Bool { true } }

  func testFoundation() throws {
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
    // row: PMKWhen(@{ @"a": a, @"b": b })
    let named = Promise.all(["a": a, "b": b])
    // row: .then(^(id a, id b, id c){ })
    let several = Promise.all([a, b]).spread { (name: String, theme: String) in "\(name) \(theme)" }
    XCTAssertEqual(
      try value(of: named, as: [String: Any].self) as? [String: String], ["a": "ann", "b": "dark"])
    XCTAssertEqual(ends(of: six, sure, several), ["anndarkanndarkanndark", [1, 2], "ann dark"])
  }

  func testCancelling() throws {
    let (download, slow) = (Download(), Promise())
    // row: context.timeout(after:)
    let limited = slow.timeout(0.001, cancelling: true)
    XCTAssertNoThrow(try reason(of: limited, as: PromiseError.self))
    // The timer's thread cancels `slow` a moment after it has settled the result.
    XCTAssertNoThrow(try outcome(of: slow))
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

  func testMaking() throws {
    @Sendable func count(_ completion: (Int, (any Error)?) -> Void) { completion(3, nil) }
    @Sendable func ask(_ completion: (Bool, (any Error)?) -> Void) { completion(true, nil) }
    let queue = DispatchQueue(label: "work")
    // row: +promiseWithResolverBlock:
    let made = AnyPromise { resolve in fetch("user") { text, _ in resolve(text) } }
    // row: +promiseWithValue:
    let three = AnyPromise.resolved(3)
    // row: +promiseWithAdapterBlock:
    let adapted = AnyPromise { seal in fetch("user") { text, error in seal.resolve(text, error) } }
    // row: +promiseWithIntegerAdapterBlock:
    let counted = AnyPromise { seal in count { number, error in seal.resolve(number, error) } }
    // row: +promiseWithBooleanAdapterBlock:
    let asked = AnyPromise { seal in ask { answer, error in seal.resolve(answer, error) } }
    // row: [[AnyPromise alloc] initWithResolver:]
    let (promise, seal) = AnyPromise.pending()
    // row: AnyPromise(promise)
    let same: AnyPromise = promise
    // row: dispatch_promise(^{ })
    let inBackground = Promise.task { 6 * 7 }
    // row: dispatch_promise_on(queue, ^{ })
    let onQueue = Promise.task(on: queue) { 6 * 7 }
    // row: PMKAfter(seconds)
    let later = after(seconds: 0.001)
    seal.fulfill("ann")
    for each in [made, adapted, same] { XCTAssertEqual(try value(of: each), "ann") }
    XCTAssertEqual(ends(of: three, counted, inBackground, onQueue, asked), [3, 3, 42, 42, true])
    XCTAssertNoThrow(try value(of: later, as: Void.self))
  }

  func testHandlers() throws {
    let (promise, failed, queue) = (load("user"), load("nothing"), DispatchQueue(label: "work"))
    let closed = Recorded(0)
    // row: .then(^(NSString *name){ })
    let onMain = promise.thenOnMain { (name: String) in Thread.isMainThread ? name : "elsewhere" }
    // row: .thenOn(queue, ^{ })
    let onQueue = promise.thenOn(queue) { (name: String) in name }
    // row: .thenInBackground(^{ })
    let inBackground = promise.then { (name: String) in name }
    // row: return error;
    let turned = promise.then { name in Missing(name: "\(name)") }
    // row: .catch(^(NSError *error){ })
    let caught = failed.catchOnMain { error in Thread.isMainThread }
    // row: .catchOn(queue, ^{ })
    let caughtOnQueue = failed.catchOn(queue) { _ in "caught" }
    // row: .catchInBackground(^{ })
    let caughtInBackground = failed.catch { _ in "caught" }
    // row: .ensure(^{ })
    let ensured = promise.finallyOnMain { closed.change { $0 += 1 } }
    // row: .ensureOn(queue, ^{ })
    let ensuredOnQueue = promise.finallyOn(queue) { closed.change { $0 += 1 } }
    for each in [onMain, onQueue, inBackground, ensured, ensuredOnQueue] {
      XCTAssertEqual(try value(of: each), "ann")
    }
    XCTAssertEqual(closed.value, 2)
    XCTAssertEqual(try reason(of: turned), Missing(name: "ann"))
    XCTAssertEqual(ends(of: caught, caughtOnQueue, caughtInBackground), [true, "caught", "caught"])
  }

  func testSeveralAndState() throws {
    let (a, b) = (load("user"), load("settings"))
    // row: PMKWhen(@[a, b])
    let all = Promise.all([a, b])
    // row: PMKJoin(@[a, b])
    let outcomes = Promise.allSettled([a, b])
    // row: PMKRace(@[a, b])
    let quickest = Promise.race([a, Promise()])
    // row: PMKManifold(a, b)
    let several = Promise.all(["ann", 3]).then { (name: String, number: Int) in "\(name)\(number)" }
    // row: PMKHang(promise)
    let waited = try a.get()
    // row: .value
    let now = try? a.result?.get()
    // row: .pending, .fulfilled, .rejected, .resolved
    XCTAssertTrue(!a.isPending && a.isFulfilled && !a.isRejected && a.isSettled)
    XCTAssertEqual(ends(of: all, quickest, several), [["ann", "dark"], "ann", "ann3"])
    XCTAssertEqual(try value(of: outcomes, as: [Result<Any, any Error>].self).count, 2)
    XCTAssertEqual(waited as? String, "ann")
    XCTAssertEqual(now as? String, "ann")
  }
}
