// `when` with a limit: `Sources/PromiseKitNames/WhenConcurrently.swift`.

import PromiseKitNames
import TestSupport
import XCTest

final class WhenConcurrentlyTests: XCTestCase {
  /// Tasks that a test settles by hand, and the number of tasks that have begun.
  private final class Tasks: Sendable {
    let promises: [Promise]
    let begun = Recorded(0)
    let beginning: [XCTestExpectation]

    init(_ count: Int) {
      promises = (0..<count).map { _ in Promise() }
      beginning = (0..<count).map { XCTestExpectation(description: "\($0) has begun") }
    }

    func iterator() -> AnyIterator<Promise> {
      AnyIterator {
        let index = self.begun.value
        guard index < self.promises.count else { return nil }
        self.begun.change { $0 += 1 }
        self.beginning[index].fulfill()
        return self.promises[index]
      }
    }
  }

  // Spec: N6.1
  func testNoMoreThanSoManyAtATime() throws {
    let tasks = Tasks(4)
    let all = when(fulfilled: tasks.iterator(), concurrently: 2)
    wait(for: Array(tasks.beginning[..<2]), timeout: 20)
    XCTAssertEqual(tasks.begun.value, 2)
    tasks.promises[1].fulfill("b")
    wait(for: [tasks.beginning[2]], timeout: 20)
    XCTAssertEqual(tasks.begun.value, 3)
    tasks.promises[2].fulfill("c")
    wait(for: [tasks.beginning[3]], timeout: 20)
    tasks.promises[3].fulfill("d")
    XCTAssertTrue(all.isPending)
    tasks.promises[0].fulfill("a")
    XCTAssertEqual(try value(of: all), ["a", "b", "c", "d"])
  }

  // Spec: N6.2
  func testNoneAndLessThanOne() throws {
    XCTAssertEqual(
      try value(of: when(fulfilled: Tasks(0).iterator(), concurrently: 3), as: [Any].self).count, 0)
    let tasks = Tasks(2)
    let all = when(fulfilled: tasks.iterator(), concurrently: 0)
    wait(for: [tasks.beginning[0]], timeout: 20)
    XCTAssertEqual(tasks.begun.value, 1)
    for task in tasks.promises { task.fulfill(nil) }
    let values = try value(of: all, as: [Any].self)
    XCTAssertEqual(values.count, 2)
    XCTAssertTrue(values.allSatisfy { ($0 as? Int?) == .some(.none) })
  }

  // Spec: N6.3
  func testARejectionEndsIt() throws {
    let tasks = Tasks(3)
    let all = when(fulfilled: tasks.iterator(), concurrently: 2)
    wait(for: Array(tasks.beginning[..<2]), timeout: 20)
    tasks.promises[0].reject(NumberedError(1))
    XCTAssertEqual(try reason(of: all), NumberedError(1))
    XCTAssertTrue(try reason(of: tasks.promises[1], as: (any Error).self).isCancellation)
    XCTAssertEqual(tasks.begun.value, 2)
  }

  // Spec: N6.4
  func testCancellingTheResult() throws {
    let tasks = Tasks(3)
    let all = when(fulfilled: tasks.iterator(), concurrently: 2)
    wait(for: Array(tasks.beginning[..<2]), timeout: 20)
    all.cancel()
    for task in tasks.promises[..<2] {
      XCTAssertTrue(try reason(of: task, as: (any Error).self).isCancellation)
    }
    XCTAssertEqual(tasks.begun.value, 2)
    XCTAssertTrue(tasks.promises[2].isPending)
  }

  // Spec: N6.5
  func testPlainValuesAmongTheInputs() throws {
    XCTAssertEqual(try value(of: when(fulfilled: [1, 2, 3].makeIterator(), concurrently: 2)), [1, 2, 3])
  }

  // Spec: N6.2
  func testALimitOfAnySize() throws {
    for limit in [Int.min, 0, 1, .max] {
      let inputs = (1...5).map { Promise.value($0) }.makeIterator()
      XCTAssertEqual(try value(of: when(fulfilled: inputs, concurrently: limit)), [1, 2, 3, 4, 5])
    }
  }
}
