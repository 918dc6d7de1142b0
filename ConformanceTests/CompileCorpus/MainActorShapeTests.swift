import DynamicPromise
import TestSupport
import XCTest

/// Handlers on the main queue are main actor code.
final class MainActorShapeTests: XCTestCase {
  // Spec: S1.3, X2.5
  func testThenOnMainTouchesMainActorState() throws {
    let screen = MainActor.assumeIsolated { Screen() }
    let shown = Promise.resolved("hello").thenOnMain { value in
      screen.text = value as! String
    }
    _ = try value(of: shown, as: Void.self)
    XCTAssertEqual(MainActor.assumeIsolated { screen.text }, "hello")
    _ = try value(
      of: Promise.resolved("typed").thenOnMain { (text: String) in screen.text = text }, as: Void.self)
    XCTAssertEqual(MainActor.assumeIsolated { screen.text }, "typed")
    let failed = Promise.rejected(NumberedError(1)).catchOnMain { screen.text = "\(type(of: $0))" }
    _ = try value(of: failed, as: Void.self)
    XCTAssertEqual(MainActor.assumeIsolated { screen.text }, "NumberedError")
    let both = Promise.rejected(NumberedError(2)).thenOnMain(
      { _ in screen.text = "" }, { _ in screen.text += "!" })
    _ = try value(of: both, as: Void.self)
    XCTAssertEqual(MainActor.assumeIsolated { screen.text }, "NumberedError!")
    let notSendable = Promise.resolved(1).thenOnMain { _ in NotSendable(screen.text.count) }
    XCTAssertEqual(try value(of: notSendable.then { (object: NotSendable) in object.number }), 14)
  }
}

@MainActor
private final class Screen {
  var text = ""
}
