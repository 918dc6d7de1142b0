import Foundation
import PromiseKitNames
import TestSupport
import XCTest

/// The rows of `docs/migration/promisekit.md` for AnyPromise, which is PromiseKit's promise for Objective-C.
final class FromAnyPromiseTests: XCTestCase {
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
    for each in [three, counted] { XCTAssertEqual(try value(of: each), 3) }
    for each in [inBackground, onQueue] { XCTAssertEqual(try value(of: each), 42) }
    XCTAssertEqual(try value(of: asked), true)
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
    XCTAssertEqual(try value(of: caught), true)
    for each in [caughtOnQueue, caughtInBackground] { XCTAssertEqual(try value(of: each), "caught") }
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
    XCTAssertEqual(try value(of: all), ["ann", "dark"])
    XCTAssertEqual(try value(of: outcomes, as: [Result<Any, any Error>].self).count, 2)
    XCTAssertEqual(try value(of: quickest), "ann")
    XCTAssertEqual(try value(of: several), "ann3")
    XCTAssertEqual(waited as? String, "ann")
    XCTAssertEqual(now as? String, "ann")
  }

  func testADictionary() throws {
    let (a, b) = (load("user"), load("settings"))
    // row: PMKWhen(@{ @"a": a, @"b": b })
    let named = Promise.all(["a": a, "b": b])
    // row: .then(^(id a, id b, id c){ })
    let several = Promise.all([a, b]).spread { (name: String, theme: String) in "\(name) \(theme)" }
    XCTAssertEqual(
      try value(of: named, as: [String: Any].self) as? [String: String], ["a": "ann", "b": "dark"])
    XCTAssertEqual(try value(of: several), "ann dark")
  }
}
