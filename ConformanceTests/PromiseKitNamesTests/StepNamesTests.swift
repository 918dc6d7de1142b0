// Steps that use the value: `Sources/PromiseKitNames/Steps.swift` and `Parts.swift`.

import Dispatch
import PromiseKitNames
import TestSupport
import XCTest

final class StepNamesTests: XCTestCase {
  private let home = MarkedQueue()
  private var queue: DispatchQueue { home.queue }

  // Spec: N2.1
  func testEveryStepRunsOnItsContext() throws {
    let (home, seen) = (home, Recorded([Bool]()))
    @Sendable func look() { seen.append(home.isCurrent) }
    @Sendable func looked<T>(_ value: T) -> T {
      look()
      return value
    }
    let list = Promise.value([1])
    let steps = [
      list.then(on: queue) { _ in look() }, list.then(on: queue) { look() },
      list.done(on: queue) { _ in look() }, list.done(on: queue) { look() },
      list.get(on: queue) { _ in look() }, list.get(on: queue) { look() },
      list.map(on: queue) { _ in look() },
      list.compactMap(on: queue) { _ -> Int? in looked(1) },
      list.mapValues(on: queue) { _ in look() },
      list.flatMapValues(on: queue) { _ -> [Int] in looked([]) },
      list.compactMapValues(on: queue) { _ -> Int? in looked(1) },
      list.filterValues(on: queue) { _ in looked(true) }, list.firstValue(on: queue) { _ in looked(true) },
      list.thenMap(on: queue) { _ in look() },
      list.thenFlatMap(on: queue) { _ -> [Int] in looked([]) },
      list.ensure(on: queue) { look() }, list.ensureThen(on: queue) { look() },
      list.finally(on: queue) { look() },
      Promise(error: NumberedError(1)).catch(on: queue) { _ in look() },
      Promise(error: NumberedError(1)).recover(on: queue) { _ in look() },
    ]
    for step in steps { XCTAssertNoThrow(try outcome(of: step).get()) }
    XCTAssertEqual(seen.value, Array(repeating: true, count: steps.count))
    XCTAssertEqual(try value(of: list.then(on: nil) { _ in home.isCurrent }), false)
  }

  // Spec: N2.2
  func testOneInputNoneAndSeveral() throws {
    let pair = Promise.value((7, "seven"))
    let heard = Recorded([String]())
    XCTAssertEqual(try value(of: pair.map { (both: (Int, String)) in both.1 }), "seven")
    XCTAssertEqual(try value(of: pair.map { (n: Int, text: String) in "\(n) \(text)" }), "7 seven")
    XCTAssertEqual(
      try value(of: pair.then { (n: Int, text: String) in Promise.value("\(text) \(n)") }), "seven 7")
    XCTAssertEqual(try value(of: pair.then(on: queue) { (n: Int, _: String) in n }), 7)
    _ = try value(
      of: pair.done { (n: Int, text: String) in heard.append("\(n)\(text)") }, as: Void.self)
    _ = try value(
      of: pair.get { (n: Int, _: String) in heard.append("\(n)") }, as: (Int, String).self)
    _ = try value(of: pair.done { heard.append("done") }, as: Void.self)
    XCTAssertEqual(heard.value, ["7seven", "7", "done"])
    XCTAssertEqual(try value(of: pair.compactMap { (n: Int, text: String) -> Int? in n + text.count }), 12)
    let array = Promise.all([1, "b", nil])
    XCTAssertEqual(
      try value(of: array.map { (n: Int, text: String, none: Int?) in "\(n)\(text)\(none == nil)" }), "1btrue"
    )
    let four = Promise.all([1, 2, 3, 4]).then { (a: Int, b: Int, c: Int, d: Int) in a + b + c + d }
    XCTAssertEqual(try value(of: four), 10)
  }

  // Spec: N2.3
  func testInputsOfAnotherTypeOrNumber() throws {
    let pair = Promise.value((7, "seven"))
    for wrong in [
      pair.map { (_: Int, _: Int) in 0 }, pair.map { (_: Int, _: String, _: Int) in 0 },
      Promise.value(1).map { (_: Int, _: Int) in 0 }, Promise.value("x").map { (_: Int) in 0 },
      Promise.value([1]).then { (_: Int, _: Int) in 0 },
    ] {
      guard case .typeMismatch = try reason(of: wrong, as: PromiseError.self) else {
        return XCTFail("\(wrong)")
      }
    }
  }

  // Spec: N2.4
  func testDoneEndsWithNothing() throws {
    let heard = Recorded("")
    let done = Promise.value("a").done { value in heard.change { $0 = "\(value)" } }
    XCTAssertNoThrow(try value(of: done, as: Void.self))
    XCTAssertEqual(heard.value, "a")
    XCTAssertEqual(try reason(of: done.done { throw NumberedError(1) }), NumberedError(1))
    let passed = Promise(error: NumberedError(2)).done { heard.change { $0 = "wrong" } }
    XCTAssertEqual(try reason(of: passed), NumberedError(2))
    XCTAssertEqual(heard.value, "a")
  }

  // Spec: N2.5
  func testGetHandsTheValueOn() throws {
    let heard = Recorded(0)
    let got = Promise.value(3).get { (n: Int) in heard.change { $0 = n } }.get { _ in }
    XCTAssertEqual(try value(of: got), 3)
    XCTAssertEqual(heard.value, 3)
    XCTAssertEqual(try reason(of: got.get { throw NumberedError(1) }), NumberedError(1))
    XCTAssertEqual(try got.get() as? Int, 3)
  }

  // Spec: N2.5
  func testGetHandsOnAnErrorOrAPromise() throws {
    XCTAssertEqual(try value(of: Promise.value(NumberedError(1)).get { _ in }), NumberedError(1))
    let inner = Promise.value(3)
    XCTAssertEqual(try value(of: Promise.value(inner).get { (_: Promise) in }), inner)
  }

  // Spec: N2.6
  func testMapIsThen() throws {
    let promise = Promise.value(3)
    XCTAssertEqual(try value(of: promise.map { (n: Int) in n * 2 }), 6)
    XCTAssertEqual(try value(of: promise.map { (n: Int) in Promise.value(n * 3) }), 9)
    XCTAssertEqual(try reason(of: promise.map { NumberedError($0 as! Int) }), NumberedError(3))
    struct User: Sendable { let name = "ann" }
    XCTAssertEqual(try value(of: Promise.value(User()).map(\User.name)), "ann")
  }

  // Spec: N2.7
  func testCompactMapRejectsNil() throws {
    let text = Promise.value("12")
    XCTAssertEqual(try value(of: text.compactMap { (text: String) in Int(text) }), 12)
    let failed = Promise.value("x").compactMap { (text: String) in Int(text) }
    guard case .compactMap(let value as String, let type) = try reason(of: failed, as: PMKError.self) else {
      return XCTFail("\(failed)")
    }
    XCTAssertEqual(value, "x")
    XCTAssertTrue(type == Int.self)
    XCTAssertEqual(
      try reason(of: text.compactMap { _ -> Int? in throw NumberedError(1) }), NumberedError(1))
  }

  // Spec: N2.8
  func testAsVoid() throws {
    XCTAssertNoThrow(try value(of: Promise.value(3).asVoid(), as: Void.self))
    XCTAssertEqual(try reason(of: Promise(error: NumberedError(1)).asVoid()), NumberedError(1))
  }

  // Spec: N2.9
  func testACancelReachesWhatAStepReturned() {
    let (root, task) = (Promise(on: .immediate), Promise())
    let shown = root.map { _ in task }
    root.fulfill(1)
    shown.cancel()
    XCTAssertTrue(task.isCancelled)
  }
}
