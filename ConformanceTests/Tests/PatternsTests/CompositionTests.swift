import DynamicPromise
import DynamicPromisePatterns
import DynamicPromiseTesting
import TestSupport
import XCTest

/// Functions like those in user programs.
private func load(_ name: String) -> Promise { .resolved("\(name)!") }
private func length(_ text: String) throws -> Int { text.count }
private func refuse(_ number: Int) throws -> Promise { throw NumberedError(number) }
private func answer() -> Int { 42 }

private func fetched(_ name: String) async throws -> String {
  await Task.yield()
  return "\(name)!"
}
private func measured(_ text: String) async throws -> Int {
  await Task.yield()
  return text.count
}
private func refused(_ number: Int) async throws -> Int { throw NumberedError(number) }
private func later() async -> Promise { .resolved(42) }

final class CompositionTests: XCTestCase {
  func testOneAfterTheOther() throws {
    let measure = load >>> length
    XCTAssertEqual(try value(of: measure("four")), 5)
    let text = load >>> length >>> { "length \($0)" }
    XCTAssertEqual(try value(of: text("four")), "length 5")
    let start = answer >>> { (number: Int) in Promise.resolved(number + 1) }
    XCTAssertEqual(try value(of: start()), 43)
    let described = answer >>> { "\($0)" }
    XCTAssertEqual(try value(of: described()), "42")
    let nothing = { (_: Int) in } >>> { $0 is Void }
    XCTAssertEqual(try value(of: nothing(1)), true)
  }

  func testWhatTheFirstComesTo() throws {
    let plain = { @Sendable (x: Int) in x } >>> { (x: Int) in x * 2 }
    XCTAssertEqual(try value(of: plain(2)), 4)
    let thenable = { @Sendable (_: Int) in Later() } >>> length
    XCTAssertEqual(try value(of: thenable(2)), 8)
    let missing = { @Sendable (_: Int) in Int?.none } >>> { (x: Int?) in x == nil }
    XCTAssertEqual(try value(of: missing(2)), true)
    let error = { @Sendable (x: Int) in NumberedError(x) } >>> { _ in XCTFail("ran after a rejection") }
    XCTAssertEqual(try reason(of: error(2)), NumberedError(2))
    let thrown = refuse >>> { _ in XCTFail("ran after a rejection") }
    XCTAssertEqual(try reason(of: thrown(3)), NumberedError(3))
    let wrong = { @Sendable (x: Int) in x } >>> length
    guard case .typeMismatch = try reason(of: wrong(1), as: PromiseError.self) else { return XCTFail() }
  }

  // Spec: H4.6
  func testAMismatchHasNoLineOfTheLibrary() throws {
    let (text, number) = ({ @Sendable () throws in "a" }, { @Sendable (n: Int) throws in n })
    let (later, laterNumber) = ({ @Sendable () async in "a" }, { @Sendable (n: Int) async in n })
    let closing = Promise.resolved("a").closing(number)
    let closingLater = Promise.resolved("a").closing(laterNumber)
    let mismatches = [
      (text >>> number)(), (text >>> laterNumber)(), (later >>> number)(), (later >>> laterNumber)(),
      (onBackgroundQueue(number) >>> { (text: String) in text })(1), ("a" as Any?) |> number,
      ("a" as Any?) |> laterNumber, Promise.using(closing) { (_: String) in },
      Promise.using(closingLater) { (_: String) in },
    ]
    for promise in mismatches {
      let error: PromiseError = try reason(of: promise)
      guard case .typeMismatch(_, _, _, let place) = error else { return XCTFail("\(error)") }
      XCTAssertNil(place, "\(error)")
    }
  }

  func testWhereTheSecondRuns() {
    let context = TestContext()
    let made = { @Sendable (x: Int) in Promise.resolved(x, on: context) } >>> { (x: Int) in x + 1 }
    let result = made(1)
    XCTAssertEqual(context.pendingJobs, 1)
    context.drain()
    XCTAssertEqual(try result.result?.get() as? Int, 2)
  }

  func testCancellingAComposition() {
    let (source, inner) = (Source(), Source())
    let both = { @Sendable (_: Int) in source.next().then { $0 } } >>> { _ in inner.next() }
    Promise.resolved(both(1)).cancel()
    XCTAssertTrue(source.all[0].isCancelled, "the chain has no other consumer")
    XCTAssertEqual(inner.count, 0)
    let first = { @Sendable (_: Int) in source.next() } >>> { _ in inner.next() }
    let running = first(1)
    source.all[1].fulfill(1)
    eventually("begun") { inner.count == 1 }
    running.cancel()
    XCTAssertTrue(inner.all[0].isCancelled)
    let told = first(2)
    source.all[2].cancel()
    XCTAssertTrue(told.isCancelled && inner.count == 1)
  }

  func testPiping() throws {
    XCTAssertEqual(try value(of: "four" |> load >>> length), 5)
    XCTAssertEqual(try value(of: load("four") |> length), 5)
    XCTAssertEqual(try value(of: load("four") |> length |> { (n: Int) in n + 1 }), 6)
    XCTAssertEqual(try value(of: 20 + 1 |> { (x: Int) in x * 2 }), 42)
    XCTAssertEqual(try value(of: nil |> { (x: Int?) in x == nil }), true)
    XCTAssertEqual(try value(of: "x" |> { "\($0)y" }), "xy")
    let failed = NumberedError(1) |> { _ in XCTFail("ran after a rejection") }
    XCTAssertEqual(try reason(of: failed), NumberedError(1))
    XCTAssertEqual(try reason(of: 2 |> refuse), NumberedError(2))
    guard case .typeMismatch = try reason(of: 1 |> length, as: PromiseError.self) else { return XCTFail() }
    let (source, result) = (Promise(), Recorded<Promise?>(nil))
    result.change { $0 = source |> { $0 } }
    result.value?.cancel()
    XCTAssertTrue(source.isPending, "a cancel does not affect the ancestors")
  }

  func testAsynchronousFunctions() throws {
    XCTAssertEqual(try value(of: (fetched >>> length)("four")), 5)
    XCTAssertEqual(try value(of: (load >>> measured)("four")), 5)
    XCTAssertEqual(try value(of: (fetched >>> measured)("four")), 5)
    XCTAssertEqual(try value(of: (fetched >>> measured >>> { "\($0)" })("four")), "5")
    XCTAssertEqual(try value(of: "four" |> fetched >>> load >>> measured), 6)
    XCTAssertEqual(try value(of: load("four") |> measured), 5)
    let closure = load >>> { (text: String) in try await measured(text) }
    XCTAssertEqual(try value(of: closure("four")), 5)
    let double: @Sendable (Int) async -> Int = { $0 * 2 }
    XCTAssertEqual(try value(of: (answer >>> double)()), 84)
    XCTAssertEqual(try value(of: (later >>> double)()), 84)
    XCTAssertEqual(try value(of: (later >>> { (number: Int) in number + 1 })()), 43)
  }

  func testWhatAnAsynchronousFunctionFailsWith() throws {
    let called = Recorded(0)
    let count: @Sendable (Int) async -> Int = { _ in called.increment() }
    XCTAssertEqual(try reason(of: (refused >>> count)(3)), NumberedError(3))
    XCTAssertEqual(try reason(of: (refuse >>> count)(4)), NumberedError(4))
    XCTAssertEqual(called.value, 0)
    XCTAssertEqual(try reason(of: 5 |> refused), NumberedError(5))
    let wrong = { @Sendable (x: Int) in x } >>> measured
    guard case .typeMismatch = try reason(of: wrong(1), as: PromiseError.self) else { return XCTFail() }
  }

  func testCancellingAnAsynchronousComposition() {
    let source = Source()
    let wait: @Sendable (Int) async throws -> Int = { _ in
      try await source.next().cancellingValue(as: Int.self)
    }
    let both = wait >>> wait
    let first = both(1)
    eventually("running") { source.count == 1 }
    Promise.resolved(first).cancel()
    eventually("cancelled") { source.all[0].isCancelled }
    let running = both(2)
    eventually("running again") { source.count == 2 }
    source.all[1].fulfill(1)
    eventually("running the second function") { source.count == 3 }
    running.cancel()
    eventually("cancelled in the second function") { source.all[2].isCancelled }
  }
}
