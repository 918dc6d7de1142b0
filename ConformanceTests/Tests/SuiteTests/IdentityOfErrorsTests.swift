import PromisesAPlusSuite
import XCTest

/// An error that a task throws is still the same instance, however it is wrapped.
final class IdentityOfErrorsTests: XCTestCase {
  func testAReasonThatATaskPassesOnIsTheSame() {
    let cases = ConformanceSuite.cases(matching: "2.2.3.1").filter(\.isOfficial)
    XCTAssertFalse(cases.isEmpty)
    let report = ConformanceRun(cases: cases, deadline: 20).run(TaskAdapter())
    for failure in report.failures { XCTFail("\(failure)") }
  }
}

private struct Sent: @unchecked Sendable { let value: Any }

/// The parts of a task that clause 2.2.3.1 needs.
private struct TaskAdapter: PromiseAdapter {
  var capabilities: Capabilities { [.untypedValues, .absentHandlers, .throwingHandlers] }

  func pending() -> Deferred<Task<Sent, any Error>> {
    let (values, source) = AsyncThrowingStream.makeStream(of: Sent.self)
    let task = Task {
      for try await value in values { return value }
      throw CancellationError()
    }
    return Deferred(
      promise: task, resolve: { source.yield(Sent(value: $0)) }, fulfill: { source.yield(Sent(value: $0)) },
      reject: { source.finish(throwing: error(for: $0)) })
  }

  func then(
    _ promise: Task<Sent, any Error>, _ onFulfilled: Handler?, _ onRejected: Handler?
  ) -> Task<Sent, any Error> {
    Task {
      switch await promise.result {
      case .success(let value): Sent(value: try onFulfilled?(value.value) ?? value.value)
      case .failure(let reason): Sent(value: try onRejected?(reason) ?? ())
      }
    }
  }
}
