import DynamicPromise
import DynamicPromiseFoundation
import DynamicPromisePatterns
import Foundation
import TestSupport
import XCTest

/// The rows of `docs/migration/brightfutures.md`.
final class FromBrightFuturesTests: XCTestCase {
  private struct Failed: Error { let reason: any Error }

  func testMaking() throws {
    let (failing, following, queue) = (Promise(), Promise(), DispatchQueue(label: "work"))
    let operations = OperationQueue()
    // row: Promise<T, E>()
    let promise = Promise()
    // row: promise.future
    let future = promise.future
    // row: promise.success(_:)
    promise.fulfill("ann")
    // row: promise.failure(_:)
    failing.reject(Missing(name: "user"))
    // row: promise.completeWith(_:)
    following.resolve(load("user"))
    // row: Future(value:)
    let user = Promise.resolved("ann")
    // row: Future(error:)
    let failed = Promise.rejected(Missing(name: "user"))
    // row: Future { complete in }
    let made = Promise { resolver in fetch("user") { text, error in resolver.resolve(text, error) } }
    // row: future(_:)
    let product = Promise.task { 6 * 7 }
    // row: queue.asyncValue { }
    let onQueue = Promise.task(on: queue) { 6 * 7 }
    // row: queue.asyncResult { }
    let parsed = Promise.task(on: queue) { try parse("1 2 3") }
    // row: materialize { completion in }
    let wrapped = Promise { resolver in fetch("user") { resolver.resolve($0, $1) } }
    // row: Future(value:delay:)
    let late = Promise.delay(0.001, "ann")
    // row: OperationQueue.context
    let asOperation = Promise.task(on: operations) { 6 * 7 }
    XCTAssertTrue(future.isFulfilled)
    for each in [promise, following, user, made, wrapped, late] { XCTAssertEqual(try value(of: each), "ann") }
    for each in [failing, failed] { XCTAssertEqual(try reason(of: each), Missing(name: "user")) }
    for each in [product, onQueue, asOperation] { XCTAssertEqual(try value(of: each), 42) }
    XCTAssertEqual(try value(of: parsed), [1, 2, 3])
  }

  func testHandlers() throws {
    let (future, failed, queue) = (load("user"), load("nothing"), DispatchQueue(label: "work"))
    // row: onComplete { result in }
    let told = failed.then({ "got \($0)" }, { "no \($0)" })
    // row: map { }
    let count = future.then { (name: String) in name.count }
    // row: map(\.keyPath)
    let counted = future.then(\String.count)
    // row: flatMap { }
    let greeting = future.then { (name: String) in load("greeting of \(name)") }
    // row: recover { }
    let mended = failed.catch { _ in "nobody" }
    // row: recoverWith { }
    let other = failed.catch { _ in load("user") }
    // row: mapError { }
    let turned = failed.catch { error in Failed(reason: error) }
    // row: filter { }
    let short = future.then { (name: String) in name.count < 3 ? name : NoSuchElement() as Any }
    // row: zip(_:)
    let both = Promise.all([future, load("settings")])
    // row: future ?? value
    let orElse = failed.catch { _ in "nobody" }
    // row: flatten()
    let flat = Promise.resolved(()).then { future }
    // row: asVoid()
    let empty = future.then { _ in () }
    // row: ignoreMapping
    let passed = future.then { (name: String) in load("settings").then { _ in name } }
    // row: forceType()
    let typed = future.then { (name: String) in name }
    // row: onComplete(queue.context) { }
    let onQueue = future.thenOn(queue) { (name: String) in name.count }
    // row: DispatchQueue.main.context
    let onMain = future.thenOnMain { (name: String) in Thread.isMainThread }
    // row: ImmediateExecutionContext
    let inPlace = future.thenOn(.immediate) { (name: String) in name.count }
    // row: ImmediateOnMainExecutionContext
    let onMainNow = future.thenOn(.mainImmediate) { (name: String) in Thread.isMainThread }
    XCTAssertTrue(try value(of: told, as: String.self).hasPrefix("no"))
    for each in [count, counted, onQueue, inPlace] { XCTAssertEqual(try value(of: each), 3) }
    for each in [other, flat, passed, typed] { XCTAssertEqual(try value(of: each), "ann") }
    XCTAssertEqual(ends(of: mended, orElse, onMain, onMainNow), ["nobody", "nobody", true, true])
    XCTAssertEqual(ends(of: greeting, turned, empty), ["hello, ann", Rejected(Failed.self), void])
    XCTAssertEqual(ends(of: short, both), [Rejected(NoSuchElement.self), ["ann", "dark"]])
  }

  func testStateAndTokens() throws {
    let (future, failed) = (load("user"), load("nothing"))
    let heard = Recorded(0)
    _ = try outcome(of: failed)
    // row: forced()
    let name = try future.get(as: String.self)
    // row: forced(_:)
    let soon = try future.get(as: String.self, timeout: 20)
    // row: error
    if case .failure(let error)? = failed.result { XCTAssertTrue(error is Missing) }
    XCTAssertEqual(soon, name)
    // row: result
    let result = future.result
    // row: value
    let now = try? future.result?.get()
    // row: isCompleted
    XCTAssertTrue(future.isSettled)
    // row: isSuccess, isFailure
    XCTAssertTrue(future.isFulfilled && failed.isRejected)
    XCTAssertEqual(now as? String, name)
    XCTAssertNotNil(result)
    let slow = Promise()
    let shown = slow.then { _ in heard.change { $0 += 1 } }
    // row: InvalidationToken().invalidate()
    shown.cancel()
    slow.fulfill(1)
    _ = try outcome(of: slow)
    XCTAssertEqual(heard.value, 0)
    let none = Promise.rejected(NoSuchElement())
    // row: NoValue, NoError
    none.ignoreErrors()
  }

  func testAwaiting() async throws {
    let future = load("user")
    // row: try await future.get()
    let name = try await future.value(as: String.self)
    XCTAssertEqual(name, "ann")
  }

  func testSeveral() throws {
    let names = ["user", "settings"]
    // row: traverse { }
    let all = Promise.all(names.map { load($0) })
    // row: sequence()
    let values = Promise.all([load("user"), load("settings")])
    // row: fold(_:) { }
    let letters = all.then { (texts: [String]) in texts.reduce(0) { $0 + $1.count } }
    // row: firstCompleted()
    let first = Promise.race([Promise(), load("user")])
    // row: find { }
    let dark = all.then { (texts: [String]) in texts.first { $0 == "dark" } as Any? ?? NoSuchElement() }
    for each in [all, values] { XCTAssertEqual(try value(of: each), ["ann", "dark"]) }
    XCTAssertEqual(ends(of: letters, first, dark), [7, "ann", "dark"])
  }

  func testTheFirstTenMinutes() throws {
    let show = Log()
    // example: from-brightfutures
    func user() -> Future { load("user") }  // was: -> Future<String, UserError>
    user().then { (name: String) in  // was: .flatMap { name in
      load("greeting of \(name)")
    }.thenOnMain { (text: String) in  // was: .onSuccess { text in
      show(text)
    }.catchOnMain { (error: Missing) in  // was: .onFailure { error in
      show("no \(error.name)")
    }
    // end
    waitUntil { !show.lines.isEmpty }
    XCTAssertEqual(show.lines, ["hello, ann"])
  }

  func testObserving() throws {
    let (future, failed, promise, hear) = (load("user"), load("nothing"), Promise(), Log())
    // row: onSuccess { }
    future.onSuccess { (name: String) in hear(name) }
    // row: onFailure { }
    failed.onFail { error in hear("failed") }
    // row: andThen { result in }
    let after = future.tapResult { result in hear("looked") }
    // row: debug()
    let watched = future.tapResult { result in print("\(#fileID) \(#line): \(result)") }
    // row: delay(_:)
    let late = future.delay(0.001)
    // row: trySuccess(_:)
    let won = promise.fulfill("ann")
    // row: tryFailure(_:)
    let lost = promise.reject(Missing(name: "user"))
    // row: tryComplete(_:)
    let lostAgain = promise.resolve("ann")
    waitUntil { hear.lines.count == 3 }
    for each in [after, watched, late] { XCTAssertEqual(try value(of: each), "ann") }
    XCTAssertEqual(Set(hear.lines), ["ann", "failed", "looked"])
    XCTAssertEqual([won, lost, lostAgain], [true, false, false])
    let (a, b, scope) = (Promise(), Promise(), CancelScope())
    let shown = [a, b].map { scope.add($0.then { $0 }) }
    // row: InvalidationToken, one for several
    scope.cancel()
    XCTAssertTrue(shown.allSatisfy(\.isCancelled))
  }
}
