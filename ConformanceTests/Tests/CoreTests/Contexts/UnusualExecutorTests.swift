// Executors that drop jobs, and executors that run their jobs at once.

import Dispatch
import DynamicPromise
import XCTest

/// A task executor that runs every job on the stack that enqueues it.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class InlineExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}

/// An actor whose jobs run on the stack that enqueues them.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class InlineSerialExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedSerialExecutor()) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class UnusualExecutorTests: XCTestCase {
  // Spec: X3.30
  func testAJobThatAnExecutorDropsDoesNotBlockLaterHandlers() {
    let (serial, concurrent) = (ManualSerialExecutor(), ManualTaskExecutor())
    let executors: [(ExecutorContext, JobList, () -> Void)] = [
      (.executor(serial), serial.jobs, { serial.step() }),
      (.executor(concurrent), concurrent.jobs, { concurrent.step() }),
    ]
    for (context, jobs, step) in executors {
      let ran = Log<Int>()
      let first = Promise.resolved(1).thenOn(context) { _ in ran.append(1) }
      jobs.drop()
      let second = Promise.resolved(1).thenOn(context) { _ in ran.append(2) }
      step()
      XCTAssertEqual(ran.all, [1, 2])
      XCTAssertTrue(first.isFulfilled && second.isFulfilled)
    }
  }

  // Spec: X3.15
  func testAnExecutorThatRunsItsJobsAtOnceRunsNoHandlerInsideACall() throws {
    let contexts: [ExecutorContext] = [.executor(InlineExecutor()), .executor(InlineSerialExecutor())]
    for context in contexts {
      let root = Promise(on: context)
      // A handler that ran on this stack could not be waited for here.
      let (inside, left) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let waits = { @Sendable in
        inside.signal()
        XCTAssertEqual(left.wait(timeout: .now() + patience), .success)
      }
      let child = root.then { _ in waits() }
      root.fulfill(1)
      XCTAssertEqual(inside.wait(timeout: .now() + patience), .success)
      left.signal()
      _ = try child.get(timeout: patience)
      let late = root.then { _ in waits() }
      XCTAssertEqual(inside.wait(timeout: .now() + patience), .success)
      left.signal()
      _ = try late.get(timeout: patience)
    }
  }

  // Spec: T1.1
  func testReadersOnAnExecutorThatRunsItsJobsAtOnceDoNotNest() async throws {
    let executor = InlineExecutor()
    let promises = (0...10_000).map { _ in Promise() }
    let readers = (0..<10_000).map { index in
      Task(executorPreference: executor) {
        _ = try await promises[index].value
        promises[index + 1].fulfill(index)
      }
    }
    promises[0].fulfill(0)
    for reader in readers { try await reader.value }
    XCTAssertTrue(promises.allSatisfy(\.isFulfilled))
  }
}
