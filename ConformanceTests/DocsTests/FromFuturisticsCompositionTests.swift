import DynamicPromise
import DynamicPromisePatterns
import Foundation
import TestSupport
import XCTest

/// More rows of `docs/migration/futuristics.md`.
final class FromFuturisticsCompositionTests: XCTestCase {
  func testComposition() throws {
    let queue = DispatchQueue(label: "work")
    let request: @Sendable (String) -> Promise = { name in load(name) }
    // row: f >>> g
    let numbers = request >>> parse
    // row: x \|> f
    let piped = "numbers" |> request
    // row: future \|> f
    let parsed = load("numbers") |> parse
    // row: onBackgroundQueue(f)
    let inBackground = onBackgroundQueue(parse)
    // row: onMainQueue(f)
    let onMain = onMainQueue(parse)
    // row: onQueue(queue)(f)
    let onOther = onQueue(queue)(parse)
    XCTAssertEqual(try value(of: numbers("numbers")), [1, 2, 3])
    XCTAssertEqual(try value(of: piped), "1 2 3")
    XCTAssertEqual(try value(of: parsed), [1, 2, 3])
    for each in [inBackground, onMain, onOther] { XCTAssertEqual(try value(of: each("1 2 3")), [1, 2, 3]) }
  }

  func testLaterAndBlocking() throws {
    let (a, b) = (load("user"), load("nothing"))
    // row: onBackgroundQueue(after:)(f)
    let later = { @Sendable (text: String) in Promise.delay(0.001, text) } >>> parse
    // row: await(a, b)
    let areSettled = Promise.allSettled([a, b]).wait()
    XCTAssertEqual(try value(of: later("1 2")), [1, 2])
    XCTAssertTrue(areSettled && a.isFulfilled && b.isRejected)
  }
}
