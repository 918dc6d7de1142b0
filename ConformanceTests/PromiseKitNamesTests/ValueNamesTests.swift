// Steps that use the elements of the value: `Sources/PromiseKitNames/Values.swift`.

import PromiseKitNames
import TestSupport
import XCTest

final class ValueNamesTests: XCTestCase {
  private let numbers = Promise.value([3, 1, 2])

  // Spec: N3.1
  func testMapValues() throws {
    XCTAssertEqual(try value(of: numbers.mapValues { (n: Int) in n * 2 }), [6, 2, 4])
    XCTAssertEqual(try value(of: numbers.mapValues { "\($0)" }), ["3", "1", "2"])
    XCTAssertEqual(try value(of: Promise.value([Int]()).mapValues { $0 }, as: [Any].self).count, 0)
    XCTAssertEqual(try reason(of: numbers.mapValues { _ in throw NumberedError(1) }), NumberedError(1))
    let promises = numbers.mapValues { _ in Promise() }
    XCTAssertEqual(try value(of: promises, as: [Promise].self).count, 3)
  }

  // Spec: N3.2
  func testAnySequenceAndItsPairs() throws {
    XCTAssertEqual(try value(of: Promise.value(1...3).mapValues { (n: Int) in n }), [1, 2, 3])
    XCTAssertEqual(try value(of: Promise.value(Set([5])).mapValues { (n: Int) in n }), [5])
    XCTAssertEqual(
      try value(of: Promise.value(["a": 1]).mapValues { (key: String, n: Int) in "\(key)\(n)" }), ["a1"])
    XCTAssertEqual(try value(of: Promise.all([1, nil]).mapValues { (n: Int?) in n ?? 0 }), [1, 0])
  }

  // Spec: N3.3
  func testWhatIsNoSequenceIsRejected() throws {
    let number = Promise.value(1)
    for wrong in [
      number.mapValues { $0 }, number.flatMapValues { [$0] }, number.compactMapValues { $0 as? Int },
      number.filterValues { _ in true }, number.thenMap { $0 }, number.thenFlatMap { [$0] },
      number.firstValue, number.lastValue, number.sortedValues(), numbers.flatMapValues { _ in 1 },
      numbers.thenFlatMap { _ in 1 }, numbers.mapValues { (_: String) in 0 },
    ] {
      guard case .typeMismatch = try reason(of: wrong, as: PromiseError.self) else {
        return XCTFail("\(wrong)")
      }
    }
  }

  // Spec: N3.4
  func testFlatMapValues() throws {
    XCTAssertEqual(try value(of: numbers.flatMapValues { (n: Int) in [n, n] }), [3, 3, 1, 1, 2, 2])
    XCTAssertEqual(
      try value(of: numbers.flatMapValues { Array(repeating: 0, count: $0 as! Int - 1) }), [0, 0, 0])
  }

  // Spec: N3.5
  func testCompactMapValues() throws {
    let texts = Promise.value(["1", "b", "3"])
    XCTAssertEqual(try value(of: texts.compactMapValues { (text: String) in Int(text) }), [1, 3])
    XCTAssertEqual(try value(of: texts.compactMapValues { Int($0 as! String) }), [1, 3])
  }

  // Spec: N3.6
  func testFilterValues() throws {
    XCTAssertEqual(try value(of: numbers.filterValues { (n: Int) in n > 1 }), [3, 2])
    XCTAssertEqual(try value(of: numbers.filterValues { $0 as? Int == 1 }), [1])
  }

  // Spec: N3.7
  func testThenMapWaitsForAll() throws {
    let (promises, calls) = ([Promise(), Promise()], Recorded(0))
    let mapped = Promise.value([0, 1]).thenMap { (index: Int) -> Promise in
      calls.change { $0 += 1 }
      return promises[index]
    }
    promises[1].fulfill("b")
    promises[0].fulfill("a")
    XCTAssertEqual(try value(of: mapped), ["a", "b"])
    XCTAssertEqual(calls.value, 2)
    XCTAssertEqual(try value(of: numbers.thenMap { $0 }), [3, 1, 2])
    XCTAssertEqual(try value(of: Promise.value([]).thenMap { $0 }, as: [Any].self).count, 0)
    XCTAssertEqual(
      try reason(of: numbers.thenMap { _ -> Promise in throw NumberedError(1) }), NumberedError(1))
  }

  // Spec: N3.8
  func testThenMapCancelsTheOthers() throws {
    let failing = [Promise(), Promise()]
    let mapped = Promise.value([0, 1]).thenMap { (index: Int) in failing[index] }
    failing[0].reject(NumberedError(1))
    XCTAssertEqual(try reason(of: mapped), NumberedError(1))
    XCTAssertTrue(try reason(of: failing[1], as: (any Error).self).isCancellation)
    let (root, tasks) = (Promise(on: .immediate), [Promise(), Promise()])
    let flat = root.thenFlatMap { (index: Int) in tasks[index] }
    root.fulfill([0, 1])
    flat.cancel()
    XCTAssertTrue(tasks.allSatisfy(\.isCancelled))
  }

  // Spec: N3.9
  func testThenFlatMap() throws {
    let flat = numbers.thenFlatMap { (n: Int) in Promise.value([n, -n]) }
    XCTAssertEqual(try value(of: flat), [3, -3, 1, -1, 2, -2])
  }

  // Spec: N3.10
  func testFirstAndLastValue() throws {
    XCTAssertEqual(try value(of: numbers.firstValue), 3)
    XCTAssertEqual(try value(of: numbers.lastValue), 2)
    XCTAssertEqual(try value(of: numbers.firstValue { (n: Int) in n < 3 }), 1)
    XCTAssertEqual(try value(of: numbers.firstValue { $0 as? Int == 2 }), 2)
    for none in [
      Promise.value([]).firstValue, Promise.value([]).lastValue, numbers.firstValue { _ in false },
    ] {
      guard case .emptySequence = try reason(of: none, as: PMKError.self) else { return XCTFail("\(none)") }
    }
  }

  // Spec: N3.10
  func testAnElementThatIsAnErrorOrAPromise() throws {
    let (error, inner) = (NumberedError(1), Promise.value(3))
    XCTAssertEqual(try value(of: Promise.value([error, NumberedError(2)]).firstValue), error)
    XCTAssertEqual(try value(of: Promise.value([NumberedError(2), error]).lastValue), error)
    XCTAssertEqual(try value(of: Promise.value([Promise(), inner]).lastValue), inner)
    XCTAssertEqual(try value(of: Promise.value([inner]).firstValue { (_: Promise) in true }), inner)
  }

  // Spec: N3.11
  func testSortedValues() throws {
    XCTAssertEqual(try value(of: numbers.sortedValues()), [1, 2, 3])
    XCTAssertEqual(try value(of: Promise.value(["b", "a"]).sortedValues()), ["a", "b"])
    XCTAssertEqual(try value(of: Promise.value([]).sortedValues(), as: [Any].self).count, 0)
    for unsorted in [Promise.value([1, "a"] as [Any]).sortedValues(), Promise.value([()]).sortedValues()] {
      guard case .typeMismatch = try reason(of: unsorted, as: PromiseError.self) else {
        return XCTFail("\(unsorted)")
      }
    }
  }
}
