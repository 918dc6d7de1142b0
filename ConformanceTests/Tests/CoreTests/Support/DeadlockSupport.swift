// Helpers for tests of blocking waits.

import DynamicPromise
import XCTest

/// The outcome of a blocking wait.
enum WaitOutcome: Equatable {
  case value(Int)
  case wouldDeadlock
  case timeout
  case failure(String)

  init(_ body: () throws -> Any) {
    do {
      let value = try body()
      self = (value as? Int).map { .value($0) } ?? .failure("\(value)")
    } catch PromiseError.wouldDeadlock {
      self = .wouldDeadlock
    } catch PromiseError.timeout {
      self = .timeout
    } catch {
      self = .failure("\(error)")
    }
  }
}

extension XCTestCase {
  /// The outcome of `body` in a job of `context`. If the job hangs, the test fails.
  func inside(
    _ context: some ExecutionContext, file: StaticString = #filePath, line: UInt = #line,
    _ body: @escaping @Sendable () throws -> Any
  ) -> WaitOutcome {
    let (log, done) = (Log<WaitOutcome>(), Event())
    context.execute {
      log.append(WaitOutcome(body))
      done.signal()
    }
    done.wait("the end of the wait", file: file, line: line)
    return log.all.first ?? .failure("hangs")
  }

  /// Makes a promise in a job of `context`, and expects every blocking wait for the promise in this job to
  /// fail at once.
  func assertDeadlock(
    _ make: @escaping @Sendable @autoclosure () -> Promise, in context: some ExecutionContext,
    file: StaticString = #filePath, line: UInt = #line
  ) {
    let ways: [@Sendable (Promise) throws -> Any] = [
      { try $0.get() }, { try $0.get(timeout: patience) }, { try $0.get(as: Int.self, timeout: 0.001) },
    ]
    for (index, way) in ways.enumerated() {
      let outcome = inside(context, file: file, line: line) { try way(make()) }
      XCTAssertEqual(outcome, .wouldDeadlock, "way \(index)", file: file, line: line)
      // Stops at a failure: if one way hangs, the other ways would hang as well.
      if outcome != .wouldDeadlock { return }
    }
    let waited = inside(context, file: file, line: line) { make().wait() ? 1 : 0 }
    XCTAssertEqual(waited, .value(0), "wait", file: file, line: line)
  }
}

/// A context of several threads that reports when a blocking wait has passed its deadlock check. The wait
/// reads `isBlockedByCaller` once before it blocks, and again after the first interval.
final class Lookout: WaitAwareContext, @unchecked Sendable {
  private let asked = Counter()
  private let isBlocked = Event()

  func execute(_ job: @escaping @Sendable () -> Void) { DispatchQueue.global().async(execute: job) }

  var isBlockedByCaller: Bool {
    asked.increment()
    if asked.value == 2 { isBlocked.signal() }
    return false
  }

  /// Runs `body` as soon as a thread is blocked in a wait for a promise that needs this context.
  func whenBlocked(
    file: StaticString = #filePath, line: UInt = #line, _ body: @escaping @Sendable () -> Void
  ) {
    Thread {
      self.isBlocked.wait("the wait", file: file, line: line)
      body()
    }.start()
  }
}

/// A context with one thread, which runs the jobs in order. A wait on this thread blocks the context.
final class OwnThread: WaitAwareContext, @unchecked Sendable {
  private let jobs = SteppedContext()
  private let arrivals = DispatchSemaphore(value: 0)
  private var thread: Thread!

  init() {
    thread = Thread { [jobs, arrivals] in
      while arrivals.wait(timeout: .now() + patience) == .success { jobs.step() }
    }
    thread.start()
  }

  func execute(_ job: @escaping @Sendable () -> Void) {
    jobs.execute(job)
    arrivals.signal()
  }

  var isBlockedByCaller: Bool { Thread.current === thread }
}
