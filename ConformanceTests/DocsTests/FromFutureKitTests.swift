import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

/// The rows of `docs/migration/futurekit.md`: each `// row:` is followed by the line of code that the table
/// shows.
final class FromFutureKitTests: XCTestCase {
  private struct NoUser: Error {}

  func testTheTasksSide() throws {
    let (failing, following, other, nothing, any) = (Promise(), Promise(), Promise(), Promise(), Promise())
    let (cancelled, unnamed, download, error) = (Promise(), Promise(), Download(), NoUser())
    // row: Promise<T>()
    let promise = Promise()
    // row: promise.future
    let future = promise.future
    // row: completeWithSuccess(_:)
    promise.fulfill("ann")
    // row: completeWithFail(_:)
    failing.reject(error)
    // row: completeWithFail(errorMessage)
    unnamed.reject("there is no user")
    // row: completeWithVoidSuccess()
    nothing.fulfill(())
    // row: completeUsingFuture(_:)
    following.resolve(other)
    // row: complete(_:)
    any.resolve("ann")
    // row: completeWithCancel()
    cancelled.cancel()
    // row: completeWithBlock { }
    let product = Promise.task(on: .immediate) { 6 * 7 }
    // row: failIfNotCompleted(_:)
    promise.reject(error)
    // row: onRequestCancel { }
    let task = Promise(onCancel: { _ in download.stop() })
    task.cancel()
    XCTAssertTrue(download.wasStopped)
    other.fulfill("ann")
    XCTAssertTrue(future.isFulfilled && cancelled.isCancelled)
    for each in [promise, following, any] { XCTAssertEqual(try value(of: each), "ann") }
    XCTAssertNoThrow(try reason(of: failing, as: NoUser.self))
    XCTAssertNoThrow(try reason(of: unnamed, as: PromiseError.self))
    XCTAssertNoThrow(try value(of: nothing, as: Void.self))
    XCTAssertEqual(try value(of: product), 42)
  }

  func testMaking() throws {
    let (other, queue) = (load("user"), DispatchQueue(label: "work"))
    // row: Future(success:)
    let user = Promise.resolved("ann")
    // row: Future(fail:)
    let failed = Promise.rejected(NoUser())
    // row: Future(failWithErrorMessage:)
    let unnamed = Promise.rejected("there is no user")
    // row: Future(cancelled: ())
    let cancelled = Promise.rejected(CancellationError())
    // row: Future(executor) { }
    let product = Promise.task(on: queue) { 6 * 7 }
    // row: Future(completeUsing:)
    let same = Promise.resolved(other)
    // row: Future(afterDelay:success:)
    let late = Promise.delay(0.001, "ann")
    // row: Future(delay:completeWith:)
    let lateFailure = Promise.delay(0.001, NoUser())
    for each in [user, same, late] { XCTAssertEqual(try value(of: each), "ann") }
    for each in [failed, lateFailure] { XCTAssertNoThrow(try reason(of: each, as: NoUser.self)) }
    XCTAssertNoThrow(try reason(of: unnamed, as: PromiseError.self))
    XCTAssertTrue(cancelled.isCancelled)
    XCTAssertEqual(try value(of: product), 42)
  }

  func testHandlers() throws {
    let (promise, failed, queue) = (load("user"), load("nothing"), DispatchQueue(label: "work"))
    // row: onComplete { result in }
    let told = failed.then({ "got \($0)" }, { "no \($0)" })
    // row: onSuccess { }
    let greeting = promise.then { (name: String) in load("greeting of \(name)") }
    // row: onSuccess(executor) { }
    let onQueue = promise.thenOn(queue) { (name: String) in name.count }
    // row: onFailorCancel { }
    let caught = failed.catch { error in "\(error)" }
    // row: map { }
    let count = promise.then { (name: String) in name.count }
    // row: mapAs()
    let typed = promise.then { (name: String) in name }
    // row: mapAsOptional()
    let number = promise.then { value in value as? Int }
    // row: return .success(x)
    let success = promise.then { _ in 3 }
    // row: return .fail(e)
    let failure = promise.then { _ in throw NoUser() }
    // row: return .cancelled
    let cancelled = promise.then { _ in throw CancellationError() }
    // row: return .completeUsing(f)
    let next = promise.then { _ in load("settings") }
    // row: waitForComplete(_:didComplete:timedOut:)
    let inTime = Promise().setTimeout(0.001).then({ "got \($0)" }, { _ in "too late" })
    // row: combineWith(_:)
    let both = Promise.all([promise, load("settings")])
    // row: ignoreFailures()
    failed.ignoreErrors()
    XCTAssertTrue(try value(of: told, as: String.self).hasPrefix("no"))
    XCTAssertEqual(try value(of: greeting), "hello, ann")
    for each in [onQueue, count, success] { XCTAssertEqual(try value(of: each), 3) }
    XCTAssertNoThrow(try value(of: caught, as: String.self))
    XCTAssertEqual(try value(of: typed), "ann")
    XCTAssertNil(try value(of: number, as: Int?.self))
    XCTAssertNoThrow(try reason(of: failure, as: NoUser.self))
    XCTAssertNoThrow(try reason(of: cancelled, as: CancellationError.self))
    XCTAssertEqual(try value(of: next), "dark")
    XCTAssertEqual(try value(of: inTime), "too late")
    XCTAssertEqual(try value(of: both), ["ann", "dark"])
  }

  func testState() throws {
    let (promise, failed, root) = (load("user"), Promise.rejected(NoUser()), Promise())
    _ = try outcome(of: promise)
    let shown = root.then { $0 }
    // row: isCompleted
    XCTAssertTrue(promise.isSettled)
    // row: result
    let result = promise.result
    // row: value
    let name = try? promise.result?.get()
    // row: error
    if case .failure(let error)? = failed.result { XCTAssertTrue(error is NoUser) }
    // row: waitForResult()
    let waited = try promise.get(as: String.self)
    // row: waitUntilCompleted()
    promise.wait()
    // row: getCancelToken().cancel()
    shown.root.cancel()
    XCTAssertTrue(shown.isCancelled)
    XCTAssertNotNil(result)
    XCTAssertEqual(name as? String, waited)
    let (session, request) = (Promise(), Promise())
    // row: .DoNotForwardRequest
    let shared = session.shielded()
    request.bind(shared)
    request.cancel()
    XCTAssertTrue(session.isPending)
  }

  func testExecutors() throws {
    let (promise, queue, operations) = (load("user"), DispatchQueue(label: "work"), OperationQueue())
    let count = Recorded(0)
    @Sendable func tick() -> Bool { count.increment() < 3 }
    // row: .primary
    let byDefault = promise.then { (name: String) in name }
    // row: .main, .mainAsync
    let onMain = promise.thenOnMain { (name: String) in Thread.isMainThread }
    // row: .mainImmediate
    let onMainNow = promise.thenOn(.mainImmediate) { (name: String) in Thread.isMainThread }
    // row: .current
    let onCurrent = promise.thenOn(.current) { (name: String) in name }
    // row: .immediate
    let inPlace = promise.thenOn(.immediate) { (name: String) in name }
    // row: .background, .userInitiated, .utility, .default
    let background = promise.thenOn(DispatchQueue.global(qos: .background)) { (name: String) in name }
    // row: .queue(_:)
    let onQueue = promise.thenOn(queue) { (name: String) in name }
    // row: .operationQueue(_:)
    let asOperation = promise.thenOn(operations) { (name: String) in name }
    // row: Executor.createQueue(label:type:)
    let onNew = promise.thenOn(.serial("new")) { (name: String) in name }
    // row: executor.execute { }
    let executed = Promise.task(on: queue) { "ann" }
    // row: executor.execute(afterDelay:) { }
    let executedLate = Promise.delay(0.001, on: queue).then { _ in "ann" }
    // row: repeatExecution
    let ticks = Promise.repeat { tick() ? Promise.delay(0.001) : nil }
    // row: OperationQueue.add { }
    let added = Promise.task(on: operations) { "ann" }
    for each in [
      byDefault, onCurrent, inPlace, background, onQueue, asOperation, onNew, executed, executedLate, added,
    ] { XCTAssertEqual(try value(of: each), "ann") }
    for each in [onMain, onMainNow] { XCTAssertEqual(try value(of: each), true) }
    _ = try outcome(of: ticks)
    XCTAssertEqual(count.value, 3)
  }

  func testABatch() throws {
    let futures = ["user", "nothing"].map { load($0) }
    // row: FutureBatch(_:).resultsFuture
    let outcomes = Promise.allSettled(futures)
    // row: FutureBatch(_:).future
    let all = Promise.all([load("user"), load("settings")])
    XCTAssertEqual(try value(of: outcomes, as: [Result<Any, any Error>].self).count, 2)
    XCTAssertEqual(try value(of: all), ["ann", "dark"])
    let tasks = [Promise(), Promise()]
    let batch = Promise.all(tasks, cancellingInputs: true)
    // row: batch.cancel()
    batch.cancel()
    XCTAssertTrue(tasks.allSatisfy(\.isCancelled))
  }

  // The page shows this program at the top.
  func testTheFirstTenMinutes() throws {
    let shown = Recorded([String]())
    @Sendable func show(_ text: String) { shown.change { $0.append(text) } }
    // example: from-futurekit
    func user(_ name: String) -> Future {  // was: -> Future<String>
      let promise = Promise()  // was: Promise<String>()
      fetch(name) { text, error in
        if let text { promise.fulfill(text) } else { promise.reject(error) }  // was: completeWith...
      }
      return promise.future
    }
    user("user").then { (name: String) in  // was: onSuccess(.userInitiated) { name in
      load("greeting of \(name)")
    }.thenOnMain { (text: String) in  // was: onSuccess(.main)
      show(text)
    }.catchOnMain { error in  // was: onFailorCancel(.main)
      show("\(error)")
    }
    // end
    waitUntil { !shown.value.isEmpty }
    XCTAssertEqual(shown.value, ["hello, ann"])
  }
}
