import PromisesAPlusSuite
import XCTest

/// The report on a promise whose types exclude part of the suite: partial, and honest about it.
final class TypedReportTests: XCTestCase {
  func testWhatTheTypesExcludeIsReportedAndTheRestPasses() {
    let adapter = TypedAdapter()
    let report = ConformanceRun(deadline: 20).run(adapter)
    XCTAssertEqual(report.results.count, ConformanceSuite.cases.count)
    for result in report.results {
      let testCase = result.testCase
      switch result.outcome {
      case .passed:
        XCTAssertTrue(adapter.capabilities.isSuperset(of: testCase.needs), testCase.id)
        XCTAssertNil(testCase.inexpressible, testCase.id)
      case .notExpressible(let reason):
        let missing = testCase.needs.subtracting(adapter.capabilities)
        XCTAssertTrue(testCase.inexpressible != nil || !missing.isEmpty, testCase.id)
        for name in missing.names where testCase.inexpressible == nil {
          XCTAssertTrue(reason.contains(name), "\(testCase.id) says: \(reason)")
        }
        XCTAssertFalse(reason.isEmpty, testCase.id)
      case .failed(let message), .deviated(let message):
        XCTFail("\(testCase.id) (\(testCase.title)): \(message)")
      }
    }
    XCTAssertGreaterThan(report.passedCount, 50)
    XCTAssertGreaterThan(report.notExpressible.count, 500)
  }

  func testNoCaseUsesWhatItDoesNotSayItNeeds() {
    let adapter = TypedAdapter()
    _ = ConformanceRun(deadline: 20).run(adapter) { event in
      guard case .finished(let result) = event else { return }
      for breach in Set(adapter.breaches.take()) {
        XCTFail("\(result.testCase.id) \(breach), which is not in what it needs")
      }
    }
  }

  /// The adapter's own alarm: told that it can do everything, it has much to complain of.
  func testAnAdapterThatClaimsTooMuchIsFoundOut() {
    let report = ConformanceRun(
      cases: ConformanceSuite.cases(matching: "2.3.3.3.1"), deadline: 0.25, maximumFailures: 1
    ).run(Boaster(typed: TypedAdapter()))
    XCTAssertFalse(report.isAsDeclared)
  }
}

/// The typed stand-in, with capabilities that it does not have.
private struct Boaster: PromiseAdapter {
  let typed: TypedAdapter

  func pending() -> Deferred<TypedAdapter.P> { typed.pending() }

  func then(
    _ promise: TypedAdapter.P, _ onFulfilled: Handler?, _ onRejected: Handler?
  ) -> TypedAdapter.P {
    typed.then(promise, onFulfilled, onRejected)
  }

  func thenable(_ source: ThenableSource) -> Any { typed.thenable(source) }
}
