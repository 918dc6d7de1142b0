// Promises of async code (T2).

import DynamicPromise
import TestSupport
import XCTest

@MainActor
private final class Page {
  var text = ""

  func write(_ text: String) async {
    await Task.yield()
    self.text = text
  }
}

private final class Notebook {
  let text: String
  init(_ text: String) { self.text = text }
}

final class TaskPromiseTests: XCTestCase {
  @TaskLocal private static var mark = "none"

  /// The task's promise is cancelled, or a chain below it is withdrawn from.
  // Spec: T2.1, T2.2, C4.10, H1.7
  func testACancelCancelsTheTask() throws {
    for isWithdrawn in [false, true] {
      let (started, noticed, failure) = (Event(), Event(), Failure())
      let promise = Promise {
        started.signal()
        await untilCancelled()
        noticed.signal()
        return "too late"
      }
      started.wait("the start")
      (isWithdrawn ? promise.then { $0 }.follower() : promise).cancel(failure)
      noticed.wait("the cancellation of the task")
      XCTAssertTrue(try promise.reason() as? Failure === failure, "withdrawn: \(isWithdrawn)")
    }
  }

  // Spec: T2.2, L1.8
  func testAReleasedTaskRunsToItsEnd() throws {
    let (gate, cancelled) = (Promise(), Log<Bool>())
    let (started, done) = (Event(), Event())
    var promise: Promise? = Promise {
      started.signal()
      _ = try? await gate.value
      cancelled.append(Task.isCancelled)
      done.signal()
    }
    started.wait("the start")
    let reference = WeakReference(try XCTUnwrap(promise))
    promise = nil
    XCTAssertNil(reference.object, "the task does not retain its promise")
    gate.fulfill(())
    done.wait("the end of the task")
    XCTAssertEqual(cancelled.all, [false])
  }

  // Spec: T2.3
  func testTaskLocalsAndPriorityAreInherited() throws {
    let seen = TaskPromiseTests.$mark.withValue("mine") { Promise { TaskPromiseTests.mark } }
    XCTAssertEqual(try seen.value(), "mine")
    for priority in [TaskPriority.low, .high] {
      let outcome = TaskOutcome()
      Task.detached(priority: priority) {
        let here = Task.basePriority
        do {
          let there = try await Promise { Task.basePriority }.value as? TaskPriority
          outcome.finish(.success(here == priority && there == priority))
        } catch { outcome.finish(.failure(error)) }
      }
      XCTAssertTrue(try outcome.value(), "\(priority)")
    }
  }

  // Spec: T2.4
  func testTheResultResolvesThePromise() throws {
    let failure = Failure()
    let throwing = Promise {
      await Task.yield()
      throw failure
    }
    XCTAssertTrue(try throwing.reason() as? Failure === failure)
    let inner = Promise()
    let adopting = Promise {
      await Task.yield()
      return inner
    }
    inner.fulfill("inner")
    XCTAssertEqual(try adopting.value(), "inner")
    let notSendable = Promise {
      await Task.yield()
      return Notebook("text")
    }
    XCTAssertEqual(try notSendable.then { (notebook: Notebook) in notebook.text }.value(), "text")
    let error = Promise { () async -> any Error in failure }
    XCTAssertTrue(try error.reason() as? Failure === failure, "a returned error also rejects the promise")
  }

  // Spec: T2.5
  func testACancellationErrorOfTheTaskIsNotARequest() throws {
    let promise = Promise {
      await Task.yield()
      throw CancellationError()
    }
    XCTAssertEqual(try promise.catch { _ in "recovered" }.value(), "recovered")
    XCTAssertTrue(promise.isCancelled)
  }

  // Spec: T2.6
  @MainActor
  func testAsynchronousHandlersOnMain() async throws {
    let page = Page()
    let child = Promise.resolved("text").thenOnMain { value in
      page.text = value as? String ?? ""
      await Task.yield()
      page.text += "!"
      return page.text
    }
    let text = try await child.value(as: String.self)
    XCTAssertEqual(text, "text!")
    let both = Promise.rejected(Failure()).thenOnMain(
      { _ in await page.write("fulfilled") }, { _ in await page.write("rejected") })
    _ = try await both.value(as: Any.self)
    XCTAssertEqual(page.text, "rejected")
    let caught = Promise.rejected(Failure()).catchOnMain { _ in await page.write("caught") }
    _ = try await caught.value(as: Any.self)
    XCTAssertEqual(page.text, "caught")
  }
}
