import DynamicPromiseFoundation
import Foundation
import PromiseKitNames
import TestSupport
import XCTest

/// The rows of `docs/migration/promisekit.md` with PromiseKit's names: each `// row:` is followed by the line
/// of code that the table shows.
final class FromPromiseKitTests: XCTestCase {
  func testTheFirstTenMinutes() throws {
    let show = Log()
    @Sendable func showSpinner(_ isOn: Bool) {}
    // example: from-promisekit
    func greet(_ name: String) -> Promise {  // was: -> Promise<String>
      firstly {
        load(name)
      }.then { (user: String) in  // was: { user in
        load("greeting of \(user)")
      }.map { (text: String) in
        text.uppercased()
      }
    }
    greet("user").done(on: .main) { (text: String) in
      show(text)
    }.ensure(on: .main) {
      showSpinner(false)
    }.catch(on: .main) { error in  // was: .catch { error in
      show("\(error)")
    }
    // end
    waitUntil { !show.lines.isEmpty }
    XCTAssertEqual(show.lines, ["HELLO, ANN"])
  }

  func testMaking() throws {
    let (text, failure): (String?, (any Error)?) = ("ann", nil)
    let (error, queue) = (NoUser(), DispatchQueue(label: "work"))
    // row: Promise { seal in }
    let user = Promise { seal in fetch("user") { text, error in seal.resolve(text, error) } }
    // row: Promise.pending()
    let (promise, seal) = Promise.pending()
    // row: Promise.value(_:)
    let three = Promise.value(3)
    // row: Promise(error:)
    let refused = Promise(error: error)
    // row: Promise()
    let done = Promise.value(())
    // row: Guarantee { seal in }
    let sure = Guarantee { seal in seal(3) }
    // row: Guarantee.value(_:), Guarantee()
    let nothing = Guarantee.value(())
    // row: Guarantee.pending()
    let (guarantee, settle) = Guarantee.pending()
    // row: seal.fulfill(_:)
    seal.fulfill("ann")
    // row: seal.fulfill_()
    settle.fulfill_()
    // row: seal.reject(_:)
    let rejected = Promise { seal in seal.reject(error) }
    // row: seal.resolve(_:_:)
    let resolved = Promise { seal in seal.resolve(text, failure) }
    // row: seal.resolve(error, value)
    let backwards = Promise { seal in seal.resolve(failure, text) }
    // row: seal.resolve(result)
    let settled = Promise { seal in seal.resolve(Result<Int, any Error>.success(3)) }
    // row: firstly { }
    let first = firstly { load("user") }
    // row: queue.async(.promise) { }
    let onQueue = queue.async(.promise) { 6 * 7 }
    // row: after(seconds:)
    let later = after(seconds: 0.001)
    // row: after(_:)
    let soon = after(.milliseconds(1))
    for each in [user, promise, resolved, backwards, first] { XCTAssertEqual(try value(of: each), "ann") }
    for each in [three, sure, settled] { XCTAssertEqual(try value(of: each), 3) }
    for each in [done, nothing, guarantee, later, soon] {
      XCTAssertNoThrow(try value(of: each, as: Void.self))
    }
    for each in [refused, rejected] { XCTAssertNoThrow(try reason(of: each, as: NoUser.self)) }
    XCTAssertEqual(try value(of: onQueue), 42)
  }

  func testSteps() throws {
    let (promise, queue, heard) = (load("numbers"), DispatchQueue(label: "work"), Recorded(0))
    // row: then { }
    let next = promise.then { _ in load("greeting") }
    // row: then(on:) { }
    let onQueue = promise.then(on: queue) { (text: String) in load("user") }
    // row: then(on: nil) { }
    let inPlace = promise.then(on: .immediate) { (text: String) in text.count }
    // row: map { }
    let numbers = promise.map { (text: String) in try parse(text) }
    // row: map(\.keyPath)
    let count = promise.map(\String.count)
    // row: compactMap { }
    let seven = promise.compactMap { (text: String) in Int(text) }
    // row: done { }
    let shown = promise.done { (text: String) in heard.change { $0 = text.count } }
    // row: get { }
    let passed = promise.get { (text: String) in heard.change { $0 = text.count } }
    // row: asVoid()
    let empty = promise.asVoid()
    // row: then { a, b in }
    let both = when(fulfilled: load("user"), promise).then { (name: String, text: String) in name + text }
    // row: wait()
    let waited = try promise.get(as: String.self)
    XCTAssertEqual(waited, "1 2 3")
    XCTAssertEqual(ends(of: next, onQueue, inPlace, count, numbers), ["hello", "ann", 5, 5, [1, 2, 3]])
    guard case .compactMap = try reason(of: seven, as: PMKError.self) else { return XCTFail("\(seven)") }
    XCTAssertEqual(ends(of: passed, both), ["1 2 3", "ann1 2 3"])
    for each in [shown, empty] { XCTAssertNoThrow(try value(of: each, as: Void.self)) }
    XCTAssertEqual(heard.value, 5)
  }

  func testElements() throws {
    let list = Promise.value([2, 3, 1])
    // row: mapValues { }
    let doubled = list.mapValues { (n: Int) in n * 2 }
    // row: flatMapValues { }
    let twice = list.flatMapValues { (n: Int) in [n, n] }
    // row: compactMapValues { }
    let odd = list.compactMapValues { (n: Int) in n % 2 == 1 ? n : nil }
    // row: filterValues { }
    let big = list.filterValues { (n: Int) in n > 1 }
    // row: thenMap { }
    let loaded = list.thenMap { (n: Int) in Promise.value("\(n)") }
    // row: thenFlatMap { }
    let flat = list.thenFlatMap { (n: Int) in Promise.value([n, -n]) }
    // row: firstValue
    let first = list.firstValue
    // row: firstValue(where:)
    let firstOdd = list.firstValue { (n: Int) in n % 2 == 1 }
    // row: lastValue
    let last = list.lastValue
    // row: sortedValues()
    let sorted = list.sortedValues()
    XCTAssertEqual(ends(of: doubled, twice, odd, big), [[4, 6, 2], [2, 2, 3, 3, 1, 1], [3, 1], [2, 3]])
    XCTAssertEqual(ends(of: loaded, flat, sorted), [["2", "3", "1"], [2, -2, 3, -3, 1, -1], [1, 2, 3]])
    XCTAssertEqual([try value(of: first), try value(of: firstOdd), try value(of: last)], [2, 3, 1])
  }

  func testErrors() throws {
    let (failed, closed, queue) = (load("nothing"), Recorded(0), DispatchQueue(label: "work"))
    @Sendable func close() { closed.change { $0 += 1 } }
    // row: catch { }
    let caught = failed.catch(policy: .allErrorsExceptCancellation) { error in "\(error)" }
    // row: catch(policy: .allErrors) { }
    let all = failed.catch { error in "\(error)" }
    // row: catch(on:) { }
    let onQueue = failed.catch(on: queue) { error in "\(error)" }
    // row: catch(only:) { }
    let missing = failed.catch { (error: Missing) in error.name }
    // row: recover { }
    let mended = failed.recover { _ in load("user") }
    // row: recover(policy: .allErrors) { }
    let fromAll = failed.recover(policy: .allErrors) { _ in "nobody" }
    // row: recover(only:) { }
    let fromOne = failed.recover(only: Missing.self) { missing in missing.name }
    // row: ensure { }
    let ensured = load("user").ensure { close() }
    // row: ensureThen { }
    let closedLater = load("user").ensureThen { load("settings") }
    // row: catch { }.finally { }
    let ended = failed.catch { _ in }.finally { close() }
    // row: cauterize()
    let ignored = failed.cauterize { error in print("unexpected: \(error)") }
    // row: PMKError.cancelled
    let cancelled = Promise(error: PMKError.cancelled)
    // row: error.isCancelled
    let isCancelled = cancelled.error?.isCancellation
    for each in [caught, all, onQueue] {
      XCTAssertTrue(try value(of: each, as: String.self).contains("nothing"))
    }
    XCTAssertEqual(ends(of: missing, fromOne, fromAll), ["nothing", "nothing", "nobody"])
    for each in [mended, ensured, closedLater] { XCTAssertEqual(try value(of: each), "ann") }
    for each in [ended, ignored] { XCTAssertNoThrow(try value(of: each, as: Void.self)) }
    XCTAssertEqual(closed.value, 2)
    XCTAssertEqual(isCancelled, true)
    XCTAssertTrue(cancelled.isCancelled)
  }

  func testErrorsByName() throws {
    let former = Promise.defaultContext
    defer { Promise.defaultContext = former }
    let logged = Recorded(0)
    let hook = Promise.onUnhandledRejection
    defer { Promise.onUnhandledRejection = hook }
    // row: conf.Q = (map: .main, return: .main)
    Promise.defaultContext = .main
    // row: conf.logHandler
    Promise.onUnhandledRejection = { lost in if lost.reason is NoUser { logged.change { $0 += 1 } } }
    do { _ = Promise(error: NoUser()) }
    XCTAssertEqual(logged.value, 1)
    XCTAssertEqual(try value(of: Promise.value(1).then { _ in Thread.isMainThread }), true)
    let (own, none) = (Promise(), Promise.value(1).compactMap { _ -> Int? in nil })
    own.resolve(own)
    let (empty, failures) = (Promise.value([]).firstValue, race(fulfilled: [Promise(error: NoUser())]))
    let note = Log()
    // row: PMKError.returnedSelf
    let cycle = own.catch { error in if case PromiseError.cycle = error { note("returnedSelf") } }
    // row: PMKError.emptySequence
    let noFirst = empty.catch { error in if case PMKError.emptySequence = error { note("emptySequence") } }
    // row: PMKError.compactMap
    let noValue = none.catch { error in if case PMKError.compactMap(let it, _) = error { note("\(it)") } }
    // row: PMKError.noWinner
    let noWinner = failures.catch { error in if case PromiseError.noneFulfilled = error { note("noWinner") } }
    for each in [cycle, noFirst, noValue, noWinner] { _ = try outcome(of: each) }
    XCTAssertEqual(Set(note.lines), ["returnedSelf", "emptySequence", "1", "noWinner"])
  }

  func testState() async throws {
    let (promise, pending, failed) = (Promise.value("ann"), Promise(), Promise(error: NoUser()))
    // row: isPending
    XCTAssertTrue(pending.isPending)
    // row: isResolved
    XCTAssertTrue(promise.isResolved)
    // row: isFulfilled
    XCTAssertTrue(promise.isFulfilled)
    // row: isRejected
    XCTAssertTrue(failed.isRejected)
    // row: value
    let name = try? promise.result?.get() as? String
    // row: error
    let error = failed.error
    // row: result
    let result = promise.result
    // row: try await promise.async()
    let awaited = try await promise.value(as: String.self)
    XCTAssertEqual([name, awaited], ["ann", "ann"])
    XCTAssertTrue(error is NoUser)
    XCTAssertNotNil(result)
  }

  func testSeveral() throws {
    let (a, b, c, d, e) = (
      load("user"), load("numbers"), load("greeting"), load("settings"), Promise.value(5)
    )
    let names = ["user", "settings"]
    // row: when(fulfilled: [])
    let all = when(fulfilled: names.map { load($0) })
    // row: when(fulfilled: a, b)
    let two = when(fulfilled: a, b).map { (name: String, numbers: String) in name + numbers }
    // row: when(fulfilled: a, b, c)
    let three = when(fulfilled: a, b, c).map { (a: String, b: String, c: String) in a + b + c }
    // row: when(fulfilled: a, b, c, d)
    let four = when(fulfilled: a, b, c, d).map { (a: String, _: String, _: String, d: String) in a + d }
    // row: when(fulfilled: a, b, c, d, e)
    let five = when(fulfilled: a, b, c, d, e).map { (a: String, _: Any, _: Any, _: Any, e: Int) in e }
    // row: when(fulfilled:concurrently:)
    let few = when(fulfilled: names.lazy.map { load($0) }.makeIterator(), concurrently: 2)
    // row: when(resolved:)
    let outcomes = when(resolved: [a, load("nothing")])
    // row: when(resolved: a, b)
    let both = when(resolved: a, load("nothing"))
    // row: race(_:)
    let quickest = race([a, Promise()])
    // row: race(a, b)
    let quicker = race(a, Promise())
    // row: race(fulfilled:)
    let winner = race(fulfilled: [load("nothing"), a])
    for each in [all, few] { XCTAssertEqual(try value(of: each), ["ann", "dark"]) }
    XCTAssertEqual(ends(of: two, three, four, five), ["ann1 2 3", "ann1 2 3hello", "anndark", 5])
    for each in [outcomes, both] {
      XCTAssertEqual(try value(of: each, as: [Result<Any, any Error>].self).count, 2)
    }
    for each in [quickest, quicker, winner] { XCTAssertEqual(try value(of: each), "ann") }
  }

  func testCancelling() throws {
    let (download, other) = (Download(), Promise())
    // row: cancellize()
    let promise = Promise(onCancel: { _ in download.stop() })
    let chain = promise.then { (text: String) in text.count }
    // row: context.cancel()
    chain.root.cancel()
    XCTAssertTrue(download.wasStopped)
    // row: promise.isCancelled
    XCTAssertTrue(chain.isCancelled)
    let (a, b) = (Promise(), Promise())
    // row: cancellableWhen(fulfilled:)
    let all = Promise.all([a, b], cancellingInputs: true)
    all.cancel()
    XCTAssertTrue(a.isCancelled && b.isCancelled)
    let (c, d) = (Promise(), Promise())
    // row: cancellableRace(_:)
    let quickest = Promise.race([c, d], cancellingInputs: true)
    quickest.cancel()
    XCTAssertTrue(c.isCancelled && d.isCancelled)
    let (begun, task) = (Promise(on: .immediate), other)
    // row: cancellableFirstly { }, cancellableThen { }
    let followed = begun.then { _ in task }
    begun.fulfill(1)
    followed.cancel()
    XCTAssertTrue(task.isCancelled)
    // row: cancellableAfter(seconds:)
    let later = after(seconds: 600)
    later.cancel()
    XCTAssertTrue(later.isCancelled)
    let (session, request) = (Promise(), Promise())
    // row: uncancellize
    let shared = session.shielded()
    request.bind(shared)
    request.cancel()
    XCTAssertTrue(shared.isPending && session.isPending)
  }
}
