import PromiseKitTypes
import TestSupport
import XCTest

final class TypedSeveralTests: XCTestCase {
  private let failed = Promise<Int>(error: NumberedError(1))

  func testTuples() throws {
    let (a, b, c) = (Promise.value(1), Promise.value("b"), Guarantee.value(true))
    let two = when(fulfilled: a, b).map { number, text in "\(number)\(text)" }
    XCTAssertEqual(try value(of: two), "1b")
    let three = when(fulfilled: a, b, c).done { a, b, c in XCTAssertTrue(a == 1 && b == "b" && c) }
    try value(of: three)
    let seven = when(fulfilled: a, b, c, a, b, c, a).map { a, _, _, _, _, _, g in a + g }
    XCTAssertEqual(try value(of: seven), 2)
    let (void, sure) = (Promise<Void>.value, Guarantee<Void>.value)
    try value(of: when(fulfilled: void, void, void, void, void, void).done {})
    try value(of: when(sure, sure, sure, sure, sure, sure).done {})
    XCTAssertEqual(try reason(of: when(fulfilled: a, failed)), NumberedError(1))
  }

  func testLists() throws {
    XCTAssertEqual(try value(of: when(fulfilled: [Promise.value(1), .value(2)])), [1, 2])
    XCTAssertEqual(try value(of: when(fulfilled: [Promise<Int>]())), [])
    XCTAssertEqual(try reason(of: when(fulfilled: [.value(1), failed])), NumberedError(1))
    var isDone = false
    try value(of: when(fulfilled: [Promise(), Promise()]).done { isDone = true })
    XCTAssertTrue(isDone)
    try value(of: when(fulfilled: Promise(), Promise(), Promise()).asVoid())
    XCTAssertEqual(try value(of: when(guarantees: [Guarantee.value(1), .value(2)])), [1, 2])
    try value(of: when(guarantees: [Guarantee(), Guarantee()]).done {})
    try value(of: when(Guarantee(), Guarantee()).done {})
    let mixed = when(fulfilled: [Promise.value(1), Guarantee.value("b")]).map { $0.map { "\($0)" } }
    XCTAssertEqual(try value(of: mixed), ["1", "b"])
    let (void, named) = (Promise<Void>.value, Promise<Void>.value(()))
    try value(of: when(fulfilled: void, named, .value(Void())).done {})
    try value(of: when(fulfilled: Guarantee<Void>.value, Guarantee<Void>.value(())).done {})
  }

  func testTuplesOfGuarantees() throws {
    let (a, b) = (Guarantee.value(1), Guarantee.value("b"))
    let two: Guarantee<String> = when(guarantees: a, b).map { number, text in "\(number)\(text)" }
    XCTAssertEqual(try value(of: two), "1b")
    let three: Guarantee<Int> = when(guarantees: a, b, a).map { a, _, c in a + c }
    XCTAssertEqual(try value(of: three), 2)
    let five: Guarantee<Int> = when(guarantees: a, b, a, b, a).map { a, b, c, d, e in a + c + e }
    XCTAssertEqual(try value(of: five), 3)
    let list: Guarantee<[Int]> = when(a, .value(2), .value(3))
    XCTAssertEqual(try value(of: list), [1, 2, 3])
  }

  // The other promises continue after a rejection.
  func testARejectionCancelsNothing() throws {
    let (pending, seal) = Promise<Int>.pending()
    XCTAssertEqual(try reason(of: when(fulfilled: [failed, pending])), NumberedError(1))
    XCTAssertTrue(pending.isPending)
    seal.fulfill(1)
    XCTAssertEqual(pending.value, 1)
  }

  func testOutcomes() throws {
    let outcomes = try value(of: when(resolved: Promise.value(1), failed))
    XCTAssertEqual(outcomes.map(\.isFulfilled), [true, false])
    guard case .fulfilled(1) = outcomes[0], case .rejected(let error) = outcomes[1] else {
      return XCTFail("\(outcomes)")
    }
    XCTAssertEqual(error as? NumberedError, NumberedError(1))
    XCTAssertEqual(try value(of: when(resolved: [Promise<Int>]())).count, 0)
  }

  func testRaces() throws {
    let (pending, seal) = Promise<Int>.pending()
    XCTAssertEqual(try value(of: race(pending, .value(2))), 2)
    XCTAssertEqual(try reason(of: race([pending, failed])), NumberedError(1))
    XCTAssertEqual(try value(of: race(fulfilled: [failed, .value(3)])), 3)
    XCTAssertEqual(race(Guarantee.value(4), Guarantee.value(5)).value, 4)
    let nobody = [Promise<Int>]()
    guard case .badInput = try reason(of: race(nobody), as: PMKError.self),
      case .badInput = try reason(of: race(fulfilled: nobody), as: PMKError.self),
      case .noWinner = try reason(of: race(fulfilled: [failed, failed]), as: PMKError.self)
    else { return XCTFail("the errors of races without a winner") }
    seal.fulfill(1)
  }

  func testALimit() throws {
    var (begun, running, most, left) = (0, 0, 0, 5)
    let source = AnyIterator<Guarantee<Int>> {
      XCTAssertTrue(Thread.isMainThread)
      guard begun < 5 else { return nil }
      (begun, running, most) = (begun + 1, running + 1, max(most, running + 1))
      let number = begun
      return after(.milliseconds(1)).map {
        running -= 1
        left -= 1
        return number
      }
    }
    XCTAssertEqual(try value(of: when(fulfilled: source, concurrently: 2)), [1, 2, 3, 4, 5])
    XCTAssertEqual([most, left], [2, 0])
    let empty = when(fulfilled: [Promise<Int>]().makeIterator(), concurrently: .max)
    XCTAssertEqual(try value(of: empty), [])
    let none = when(fulfilled: [failed].makeIterator(), concurrently: 0)
    guard case .badInput = try reason(of: none, as: PMKError.self) else { return XCTFail("a limit of zero") }
  }

  func testARejectionEndsTheIterator() throws {
    var begun = 0
    let source = AnyIterator<Promise<Int>> { [failed] in
      begun += 1
      return begun == 2 ? failed : begun < 5 ? .value(begun) : nil
    }
    XCTAssertEqual(try reason(of: when(fulfilled: source, concurrently: 1)), NumberedError(1))
    XCTAssertEqual(begun, 2)
  }

  // A rejection does not end the iteration, and the outcomes keep the order of the iterator.
  func testALimitForOutcomes() throws {
    var begun = 0
    let source = AnyIterator<Promise<Int>> {
      guard begun < 4 else { return nil }
      begun += 1
      let number = begun
      return after(.milliseconds(5 - number)).map {
        if number == 2 { throw NumberedError(number) }
        return number
      }
    }
    let outcomes = try value(of: when(resolved: source, concurrently: 2))
    XCTAssertEqual(outcomes.map { if case .fulfilled(let number) = $0 { number } else { 0 } }, [1, 0, 3, 4])
    guard case .rejected(let error) = outcomes[1] else { return XCTFail("\(outcomes)") }
    XCTAssertEqual(error as? NumberedError, NumberedError(2))
    let none = try value(of: when(resolved: [failed].makeIterator(), concurrently: 0))
    guard case .rejected(PMKError.badInput)? = none.first, none.count == 1 else {
      return XCTFail("a limit of zero")
    }
  }

  // A cancelled promise is one of the outcomes. Withdrawing the result cancels the pending promise.
  func testOutcomesOfWhatIsCancelled() throws {
    let (stopped, one) = Promise<Int>.pending()
    let (pending, other) = Promise<Int>.pending()
    stopped.untyped.cancel()
    let outcomes = when(resolved: [stopped, .value(2)].makeIterator(), concurrently: 1)
    XCTAssertEqual(try value(of: outcomes).map(\.isFulfilled), [false, true])
    let begun = expectation(description: "begun")
    var left = [pending]
    let source = AnyIterator<Promise<Int>> {
      begun.fulfill()
      return left.popLast()
    }
    let unwanted = when(resolved: source, concurrently: 1)
    wait(for: [begun], timeout: 20)
    let cancelled = expectation(description: "cancelled")
    other.untyped.onCancel { _ in cancelled.fulfill() }
    unwanted.untyped.withdraw()
    wait(for: [cancelled], timeout: 20)
    one.fulfill(1)
  }

  func testTheClock() throws {
    try value(of: after(seconds: 0.001))
    try value(of: after(.microseconds(1)).then { after(.nanoseconds(1)) })
    let never = after(.never)
    XCTAssertTrue(after(.seconds(600)).isPending && never.isPending)
    never.untyped.cancel()
  }
}
