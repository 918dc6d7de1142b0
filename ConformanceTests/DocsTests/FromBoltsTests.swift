import DynamicPromise
import DynamicPromiseFoundation
import DynamicPromisePatterns
import Foundation
import TestSupport
import XCTest

/// The rows of `docs/migration/bolts.md`.
final class FromBoltsTests: XCTestCase {
  func testMaking() throws {
    let (queue, operations) = (DispatchQueue(label: "work"), OperationQueue())
    // row: Task(_:), +taskWithResult:
    let user = Promise.resolved("ann")
    // row: Task(error:), +taskWithError:
    let failed = Promise.rejected(NoUser())
    // row: Task.cancelledTask(), +cancelledTask
    let cancelled = Promise.rejected(CancellationError())
    // row: Task.emptyTask
    let empty = Promise.resolved(())
    // row: Task.execute(executor) { }
    let product = Promise.task(on: queue) { 6 * 7 }
    // row: Task.executeWithTask { }
    let next = Promise.task { load("user") }
    // row: Task.withDelay(_:), +taskWithDelay:
    let later = Promise.delay(0.001)
    // row: Executor.operationQueue(_:)
    let asOperation = Promise.task(on: operations) { 6 * 7 }
    XCTAssertEqual(ends(of: user, next, product, asOperation), ["ann", "ann", 42, 42])
    XCTAssertNoThrow(try reason(of: failed, as: NoUser.self))
    XCTAssertTrue(cancelled.isCancelled)
    for each in [empty, later] { XCTAssertNoThrow(try value(of: each, as: Void.self)) }
  }

  func testASource() throws {
    // row: TaskCompletionSource<T>(), BFTaskCompletionSource
    let (promise, source) = Promise.pending()
    let (failing, other) = (Promise.pending(), Promise.pending())
    // row: source.task
    let task = promise.future
    // row: source.set(result:), -setResult:
    source.fulfill("ann")
    // row: source.set(error:), -setError:
    failing.resolver.reject(NoUser())
    // row: source.cancel()
    other.promise.cancel()
    XCTAssertTrue(task.isFulfilled && other.promise.isCancelled)
    XCTAssertEqual(try value(of: promise), "ann")
    XCTAssertNoThrow(try reason(of: failing.promise, as: NoUser.self))
  }

  func testContinuations() throws {
    let (task, failed, queue) = (load("user"), load("nothing"), DispatchQueue(label: "work"))
    // row: continueWith { task in }
    let told = failed.then({ "got \($0)" }, { "no \($0)" })
    // row: continueWithTask { task in }
    let either = failed.then({ $0 }, { _ in load("user") })
    // row: continueOnSuccessWith { }, -continueWithSuccessBlock:
    let count = task.then { (name: String) in name.count }
    // row: continueOnSuccessWithTask { }
    let greeting = task.then { (name: String) in load("greeting of \(name)") }
    // row: continueOnErrorWith { }
    let mended = failed.catch { (error: Missing) in "nobody" }
    // row: continueOnErrorWithTask { }
    let other = failed.catch { _ in load("user") }
    // row: continueWith(.default)
    let inPlace = task.thenOn(.immediate) { (name: String) in name.count }
    // row: continueWith(.immediate)
    let atOnce = task.thenOn(.immediate) { (name: String) in name.count }
    // row: continueWith(.mainThread)
    let onMain = task.thenOnMain { (name: String) in Thread.isMainThread }
    // row: continueWith(.queue(queue))
    let onQueue = task.thenOn(queue) { (name: String) in name.count }
    // row: throw CancelledError()
    let cancelled = task.then { _ in throw CancellationError() }
    XCTAssertTrue(try value(of: told, as: String.self).hasPrefix("no"))
    XCTAssertEqual(ends(of: either, other, greeting, mended), ["ann", "ann", "hello, ann", "nobody"])
    for each in [count, inPlace, atOnce, onQueue] { XCTAssertEqual(try value(of: each), 3) }
    XCTAssertEqual(try value(of: onMain), true)
    XCTAssertTrue(try reason(of: cancelled, as: (any Error).self).isCancellation)
  }

  func testSeveralStateAndCancelling() throws {
    let (task, failed, download) = (load("user"), load("nothing"), Download())
    // row: Task.whenAll(_:)
    let done = Promise.all([task, load("settings")]).then { _ in () }
    // row: Task.whenAllResult(_:), +taskForCompletionOfAllTasksWithResults:
    let results = Promise.all([task, load("settings")])
    // row: +taskForCompletionOfAllTasks: with its errors
    let outcomes = Promise.allSettled([task, failed])
    // row: Task.whenAny(_:), +taskForCompletionOfAnyTask:
    let first = Promise.race([Promise(), task])
    _ = try outcome(of: failed)
    // row: waitUntilCompleted()
    task.wait()
    // row: completed
    XCTAssertTrue(task.isSettled)
    // row: faulted
    XCTAssertTrue(failed.isRejected)
    // row: cancelled
    XCTAssertFalse(failed.isCancelled)
    // row: result, error
    XCTAssertNotNil(task.result)
    XCTAssertEqual(ends(of: done, results, first), [void, ["ann", "dark"], "ann"])
    XCTAssertEqual(try value(of: outcomes, as: [Result<Any, any Error>].self).count, 2)
    // row: token.register { }
    let work = Promise(onCancel: { _ in download.stop() })
    let shown = work.then { $0 }
    // row: CancellationTokenSource().cancel()
    shown.root.cancel()
    // row: token.isCancellationRequested
    XCTAssertTrue(shown.isCancelled)
    XCTAssertTrue(download.wasStopped)
    let slow = Promise()
    // row: source.cancelAfterDelay(_:)
    let limited = Promise.race([slow, .delay(0.001, CancellationError())], cancellingInputs: true)
    XCTAssertTrue(try reason(of: limited, as: (any Error).self).isCancellation)
    XCTAssertTrue(try reason(of: slow, as: (any Error).self).isCancellation)
  }

  func testTheFirstTenMinutes() throws {
    let show = Log()
    // example: from-bolts
    func user() -> Promise {  // was: -> Task<String>
      let (promise, source) = Promise.pending()  // was: TaskCompletionSource<String>()
      fetch("user") { text, error in source.resolve(text, error) }
      return promise  // was: source.task
    }
    user().then { (name: String) in  // was: continueOnSuccessWithTask { name in
      load("greeting of \(name)")
    }.thenOnMain { (text: String) in  // was: continueOnSuccessWith(.mainThread) { text in
      show(text)
    }.catchOnMain { error in  // was: continueOnErrorWith(.mainThread) { error in
      show("\(error)")
    }
    // end
    waitUntil { !show.lines.isEmpty }
    XCTAssertEqual(show.lines, ["hello, ann"])
  }

  func testTheWinner() {
    let (promise, source) = Promise.pending()
    // row: source.trySet(result:), -trySetResult:
    let won = source.fulfill("ann")
    // row: source.trySet(error:), -trySetError:
    let lost = source.reject(Missing(name: "user"))
    // row: source.tryCancel(), -trySetCancelled
    let lostAgain = promise.cancel()
    XCTAssertEqual([won, lost, lostAgain], [true, false, false])
    let (a, b, scope) = (Promise(), Promise(), CancelScope())
    // row: continueWith(cancellationToken:), one token for several
    let shown = [a, b].map { scope.add($0.then { $0 }) }
    scope.cancel()
    XCTAssertTrue(shown.allSatisfy(\.isCancelled))
  }
}
