import Dispatch
import DynamicPromise
import TestSupport
import XCTest

/// The examples of the page on compile errors.
final class CompileErrorsTests: XCTestCase {
  // Spec: S1.3
  func testMainActorClass() throws {
    // example: main-actor-class
    @MainActor
    final class Page {
      var title = ""
      var isBusy = true

      func show(_ name: String) -> Promise {
        load(name)
          .thenOnMain { (text: String) in self.title = text }
          .catchOnMain { self.title = "\($0)" }
          .finallyOnMain { self.isBusy = false }
      }
    }
    // end
    let page = MainActor.assumeIsolated { Page() }
    let shown = MainActor.assumeIsolated { page.show("user") }
    _ = try value(of: shown, as: Any.self)
    MainActor.assumeIsolated {
      XCTAssertEqual(page.title, "ann")
      XCTAssertFalse(page.isBusy)
    }
  }

  func testDeclaredTypes() throws {
    // example: nil
    let queue: DispatchQueue? = nil
    let nothing = Promise.resolved(nil)
    let isNothing = nothing.thenOn(queue) { (number: Int?) in number == nil }
    // end
    XCTAssertEqual(ends(of: isNothing), [true])
  }

  func testTypedValues() async throws {
    // example: any-value
    let length = load("user").then { (name: String) in name.count }  // was: { name in name.count }
    let number = try await length.value(as: Int.self)  // was: let number: Int = try await length.value
    // end
    XCTAssertEqual(number, 3)
    // example: task-result
    let name = Task { try await load("user").value(as: String.self) }  // was: load("user").value
    // end
    let user = try await name.value
    XCTAssertEqual(user, "ann")
  }

  func testBareActor() throws {
    // example: bare-actor
    actor Counter {
      var total = 0
    }
    let counter = Counter()
    let counted = Promise.resolved(3)
      .thenOn(counter) { counter, value in
        counter.total += value as! Int
        return counter.total
      }
      .thenOn(.actor(counter)) { (total: Int) in "so far \(total)" }
      .finallyOn(counter) { $0.total = 0 }
    // end
    XCTAssertEqual(try value(of: counted), "so far 3")
  }
}
