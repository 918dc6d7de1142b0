import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

private struct NoUser: Error {}
private struct NoUsers: Error {}
private struct NotFound: Error {}

/// A future of another library.
private final class TheirFuture<Value: Sendable>: Sendable {
  private let value: Value
  init(_ value: Value) { self.value = value }
  func onComplete(_ body: @Sendable (Result<Value, any Error>) -> Void) { body(.success(value)) }
}

private let note = Log()

/// The lines of `docs/migration` compile. The examples also run, and so do lines whose value is asserted.
final class MigrationTests: XCTestCase {
  private let queue = DispatchQueue(label: "work")
  private let concurrent = DispatchQueue(label: "sync.queue", attributes: .concurrent)
  private let download = Download()

  private let former = Promise.onUnhandledRejection

  // Many lines of this test reject, and nothing handles it.
  override func setUp() { Promise.onUnhandledRejection = nil }
  override func tearDown() { Promise.onUnhandledRejection = former }

  func testMakingPromises() throws {
    let (queue, download) = (queue, download)
    let result = Result<String, any Error>.success("ann")
    let (promise, resolver) = Promise.pending()
    resolver.fulfill("ann")
    let won = resolver.fulfill("ann")
    resolver.reject(NoUser())
    resolver.resolve(load("user"))
    let (made, seal) = Promise.pending()
    seal.reject(NoUser())
    _ = Promise { resolver in resolver.resolve(result) }
    _ = Promise { seal in fetch("user") { text, error in seal.resolve(text, error) } }
    _ = Promise { resolver in resolver.onCancel { _ in download.stop() } }
    resolver.onAbandon { download.stop() }
    _ = Promise.resolved("ann")
    _ = Promise.resolved(())
    _ = Promise.rejected(NoUser())
    _ = Promise.rejected(CancellationError())
    _ = Promise { resolver in fetch("user") { text, error in resolver.resolve(text, error) } }
    _ = Promise.task(on: queue) { 6 * 7 }
    _ = Promise.task(on: queue) { try result.get() }
    _ = Promise.task { 6 * 7 }
    _ = Promise.delay(0.001, "ann")
    _ = Promise.delay(0.001)
    XCTAssertFalse(won)
    XCTAssertEqual(ends(of: promise, made), ["ann", Rejected(NoUser.self)])
  }

  func testSteps() throws {
    let (queue, concurrent) = (queue, concurrent)
    let (promise, list, shown) = (load("user"), Promise.resolved([1, 2]), load("user").then { $0 })
    promise.then { (name: String) in name.count }
    promise.then { (name: String) in load("greeting of \(name)") }
    promise.then { (name: String) in if name.count > 5 { name } else { throw NotFound() } }
    promise.then { (name: String?) in if let name { name } else { throw NotFound() } }
    promise.then { (name: String) in if let n = Int(name) { n } else { throw NotFound() } }
    promise.then { (name: String) in name }
    promise.then { (name: String) in note(name) }
    promise.then { _ in () }
    promise.then { _ in NoUser() }
    promise.then { _ in throw CancellationError() }
    promise.then({ name in note(name) }, { error in note(error) })
    promise.catch { _ in "nobody" }
    promise.catch { _ in load("user") }
    promise.catch { (_: Missing) in "nobody" }
    promise.catch { (missing: Missing) in missing.name }
    promise.catch { _ in NoUser() }
    promise.catch { error in if error.isCancellation { throw error } else { note(error) } }
    promise.catchOnMain { error in note(error) }
    promise.onSuccess { (name: String) in note(name) }
    promise.onFail { error in note(error) }
    promise.onCancel { note("cancelled") }
    promise.reflect().then { (outcome: Result<Any, any Error>) in note(outcome) }
    promise.tap { name in note(name) }
    promise.tapResult { result in note(result) }
    promise.finally { note("closed") }
    promise.finally { load("settings") }
    promise.finallyOnMain { note("closed") }
    promise.ignoreErrors()
    _ = promise.delay(0.001)
    _ = promise.timeout(0.001, cancelling: true)
    _ = promise.shielded()
    promise.thenOnMain { (name: String) in note(name) }
    promise.thenOn(.mainImmediate) { (name: String) in name.count }
    promise.thenOn(.immediate) { (name: String) in name.count }
    promise.thenOn(queue) { (name: String) in name.count }
    promise.thenOn(DispatchQueue.global(qos: .utility)) { (name: String) in name.count }
    promise.thenOn(.reading(concurrent)) { (name: String) in name.count }
    promise.thenOn(OperationQueue()) { (name: String) in name.count }
    promise.thenOn(.current) { (name: String) in name.count }
    list.then { (numbers: [Int]) in numbers.map { $0 * 2 } }
    list.then { (numbers: [Int]) in Promise.map(numbers) { (n: Int) in load("\(n)") } }
    XCTAssertNoThrow(try outcome(of: promise))
    shown.withdraw()
    promise.withdraw()
    let resolver = Promise.pending().resolver
    _ = resolver.isCancelled
    _ = Promise.defaultContext
  }

  func testSeveralPromisesAndWaiting() async throws {
    let (a, b) = (load("user"), load("settings"))
    try waitFor(a)
    _ = try await b.value
    _ = Promise.all([a, b])
    _ = Promise.all(["a": a, "b": b])
    Promise.all([a, b]).spread { (name: String, theme: String) in "\(name) \(theme)" }
    Promise.all([a, b]).spread { (x: String, y: String) in note(x + y) }
    Promise.all([a, b]).then { (texts: [String]) in texts.first { $0 == "dark" } }
    Promise.all(["ann", 3]).spread { (name: String, number: Int) in note("\(name) \(number)") }
    _ = Promise.allSettled([a, b])
    _ = Promise.race([a, b])
    _ = Promise.any([a, b])
    _ = Promise.retry(3) { load("user") }
    _ = Promise.map(["user", "settings"], concurrency: 2) { (name: String) in load(name) }
    _ = Promise.sequence(["user", "settings"]) { (name: String) in load(name) }
    _ = [a, b].reduce(Promise.resolved("")) { text, next in
      Promise.all([text, next]).spread { (text: String, part: String) in text + part }
    }
    _ = a.isSettled
    let name = try await a.value(as: String.self)
    XCTAssertEqual(name, "ann")
  }

  private func waitFor(_ a: Promise) throws {
    do {
      let name = try a.get(as: String.self)
      XCTAssertEqual(name, "ann")
    }
    do {
      let name = try a.get()
      XCTAssertEqual(name as? String, "ann")
    }
    let name = try? a.result?.get()
    XCTAssertEqual(name as? String, "ann")
  }

  // Others.

  func testOthers() async throws {
    let queue = queue
    // example: others-bridge
    func bridged(_ theirs: TheirFuture<String>) -> Promise {
      Promise { resolver in theirs.onComplete { result in resolver.resolve(result) } }
    }
    // end
    @Sendable func read() -> Result<[Int], Missing> { .success([1, 2, 3]) }
    @Sendable func count(_ text: String) -> Result<Int, Missing> { .success(text.count) }
    // example: others-bolts
    // continueWith { task in task.faulted ? "nobody" : task.result! }
    let told = load("nothing").reflect().then { (it: Result<Any, any Error>) in (try? it.get()) ?? "nobody" }
    // continueWith { task in ... } as two closures
    let same = load("nothing").then({ name in "\(name)" }, { _ in "nobody" })
    // end
    // example: others-brightfutures
    // queue.asyncResult { read() }
    let numbers = Promise.task(on: queue) { try read().get() }
    // future.flatMap { text -> Result<Int, Missing> in count(text) }
    let letters = load("numbers").then { (text: String) in try count(text).get() }
    // end
    // example: others-hydra
    // let call = { Promise<String>(in: .background) { resolve, reject, _ in ... } };  call().retry(3)
    let user = Promise.retry(3) { load("user") }
    // .then(in: .main) { ... }; the contexts are queues here
    let shown = user.thenOnMain { (name: String) in note(name) }
    let quiet = user.thenOn(DispatchQueue.global(qos: .background)) { (name: String) in name.count }
    // async { _ in let a = try await(p1); let b = try await(p2) }
    let both = Promise {
      try await user.value(as: String.self) + load("settings").value(as: String.self)
    }
    // end
    XCTAssertNoThrow(try outcome(of: shown))
    XCTAssertEqual(ends(of: bridged(TheirFuture("ann")), told, same), ["ann", "nobody", "nobody"])
    XCTAssertEqual(ends(of: numbers, letters, quiet, both), [[1, 2, 3], 5, 3, "anndark"])
  }

  // RXPromise.

  func testTheFirstExampleOfRXPromise() throws {
    @Sendable func login() -> Promise { .resolved("OK") }
    @Sendable func fetchObjects() -> Promise { .resolved(Data(#"[{"a": 1}, {"a": 2}]"#.utf8)) }
    @Sendable func save(_ objects: [[String: Any]]) -> Promise { .resolved(objects.count) }
    let shown = Log()
    @MainActor func show(_ text: String) { shown(text) }
    // example: rx-login
    let fetchAndSaveObjects = login()  // RXPromise* fetchAndSaveObjects = [self login]
      .then { _ in fetchObjects() }  // .then(^id(id result){ return [self fetchObjects]; }, nil)
      .then { (json: Data) in  // .then(^id(NSData* json){ ... return error; }, nil)
        try JSONSerialization.jsonObject(with: json)  // a thrown error replaces the returned NSError
      }
      .then { (objects: [[String: Any]]) in save(objects) }  // a promise: the chain waits for it
      .thenOnMain { (count: Int) in show("\(count) objects") }  // .thenOnMain(^id(id result){ ... }, nil)
      .then(nil, { error in note("Error: \(error)") })  // .then(nil, ^id(NSError* error){ ... });
    // end
    XCTAssertNoThrow(try outcome(of: fetchAndSaveObjects).get())
    XCTAssertEqual(shown.lines, ["2 objects"])
  }

  func testTheResolversSideOfRXPromise() throws {
    let (queue, download, other) = (queue, download, Promise())
    let promise = Promise()
    promise.fulfill("OK")
    promise.reject(NoUsers())
    promise.reject("there are no users")
    promise.bind(other)
    _ = Promise.resolved("OK")
    _ = Promise.resolved(NoUsers())
    _ = Promise.task(on: queue) { 6 * 7 }
    _ = Promise(onCancel: nil, onAbandon: { note("nobody waits") })
    _ = Promise(onCancel: { _ in download.stop() })
    // example: rx-forwarding
    func doSomethingAsync() -> Promise {  // - (RXPromise*) doSomethingAsync
      Promise { resolver in  // RXPromise* promise = ...; __weak RXPromise* weakPromise = promise;
        download.start { result in resolver.fulfill(result) }  // ^(id result){ [weakPromise fulfill...]; }
        resolver.onCancel { _ in download.stop() }  // promise.then(nil, ^id(NSError* e){ [op cancel]; ... });
        resolver.onAbandon { download.stop() }
      }
    }
    // end
    doSomethingAsync().cancel()
    XCTAssertTrue(download.wasStopped)
    XCTAssertEqual(try value(of: promise), "OK")
  }

  func testTheCallersSideOfRXPromise() throws {
    let queue = queue
    let (root, users) = (Promise(), Promise.resolved(["ann"]))
    @Sendable func asyncA() -> Promise { load("user") }
    @Sendable func asyncB(_ a: Any) -> Promise { load("greeting of \(a)") }
    @Sendable func asyncC(_ b: Any) -> Promise { .resolved("\(b)!") }
    @Sendable func save(_ users: [String]) -> Promise { .resolved(users.count) }
    users.then(nil, { error in note("Error: \(error)") })
    users.then({ result in note("Users: \(result)") }, nil)
    users.then({ result in note("Users: \(result)") }, { error in note("Error: \(error)") })
    users.thenOn(queue, { result in note(result) }, { error in note(error) })
    users.thenOnMain({ result in note(result) }, { error in note(error) })
    users.thenOn(.main, { result in note(result) }, { error in note(error) })
    users.thenOn(.shared) { result in note(result) }
    users.then { (users: [String]) in note(users.count) }
    users.then { (users: [String]) in users[0] }
    users.then { (users: [String]) in save(users) }
    users.then { _ in NoUsers() }
    users.then { _ in nil }
    users.catch { _ in "OK" }
    users.catch { error in throw error }
    users.catch { error in if error.isCancellation { throw error } }
    users.finallyOnMain { note("stopAnimating") }
    _ = users.setTimeout(20)
    asyncA().then { a in asyncB(a) }.then { b in asyncC(b) }
    let children = (1...3).map { n in root.then { _ in n } }
    note(children[1].root === root && children[1].parent === root)
    note(root.isPending || root.isFulfilled || root.isRejected || root.isCancelled)
    let user = try users.get(timeout: 20)
    users.runLoopWait()
    XCTAssertEqual(user as? [String], ["ann"])
    XCTAssertEqual(try value(of: asyncA().then { asyncB($0) }.then { asyncC($0) }), "hello, ann!")
    root.cancel()
    root.cancel("closed")
    XCTAssertTrue(children.allSatisfy(\.isCancelled))
  }

  func testContextsAndSeveralPromisesOfRXPromise() throws {
    let (users, a, b) = (load("user"), load("user"), load("settings"))
    let rounds = Recorded(0)
    @Sendable func nextUser() -> Promise? { rounds.increment() < 3 ? load("user") : nil }
    @Sendable func login() -> Promise { load("user") }
    let serial = DispatchQueue(label: "sync.queue")
    let concurrent = DispatchQueue(label: "sync.queue", attributes: .concurrent)
    users.thenOn(serial) { $0 }
    users.thenOn(.reading(concurrent)) { $0 }
    users.thenOn(.operations("sync_queue", width: 1)) { $0 }
    users.thenOn(Thread.withRunLoop(name: "worker")) { $0 }
    let session = login().shielded()
    _ = Promise.sequence(["user", "settings"]) { (name: String) in load(name) }
    _ = Promise.repeat { nextUser() }
    XCTAssertEqual(ends(of: session, a, b), ["ann", "ann", "dark"])
  }
}
