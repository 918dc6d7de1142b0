import DynamicPromise
import DynamicPromisePatterns
import DynamicPromiseTesting
import Foundation
import TestSupport
import XCTest

/// The view model of `docs/patterns.md`.
final class PatternsLatestTests: XCTestCase {
  func testLatest() throws {
    let clock = TestContext()
    // example: pattern-latest
    @MainActor final class SearchModel {
      private(set) var results: [String] = []
      private(set) var isSearching = false
      private(set) var message = ""
      private let searches: Latest

      init(on context: (any ExecutionContext)? = nil) {
        searches = Latest(pause: 0.3, on: context)
        searches.onRunningOnMain { [weak self] in self?.isSearching = $0 }
      }

      func textChanged(_ text: String) {
        searches.run { search(text) }
          .thenOnMain { [weak self] (found: [String]) in self?.results = found }
          .catchOnMain { [weak self] error in
            if !error.isCancellation { self?.message = "\(error)" }
          }
      }
    }
    // end
    onMainActor(self) { test in
      // example: pattern-latest-clock
      let model = SearchModel(on: clock)
      for text in ["u", "us", "user"] { model.textChanged(text) }
      clock.advance(by: 0.3)
      // end
      XCTAssertEqual(searched.value, ["user"])
      test.waitUntil {
        clock.drain()
        return !model.results.isEmpty && !model.isSearching
      }
      XCTAssertEqual(model.results, ["ann"])
      XCTAssertEqual(model.message, "")
      XCTAssertFalse(model.isSearching)
    }
  }
}

private let searched = Recorded<[String]>([])

@Sendable private func search(_ text: String) -> Promise {
  searched.change { $0.append(text) }
  return load(text).then { (found: String) in [found] }
}
