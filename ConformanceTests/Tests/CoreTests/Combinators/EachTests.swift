// `each` runs a task for each input, for the side effects. The result is fulfilled with the inputs.

import DynamicPromise
import XCTest

final class EachTests: XCTestCase {
  // Spec: K11.1
  func testTasksRunInTurnAndTheInputsComeOut() throws {
    let started = Log<String>()
    let promises = (0..<2).map { _ in Promise() }
    let inputs: [Any?] = ["a", Promise.resolved("b")]
    let result = Promise.each(inputs, on: .immediate) { input -> Promise in
      started.append("\(input)")
      return promises[started.count - 1]
    }
    XCTAssertEqual(started.all, ["a"])
    promises[0].fulfill("ignored")
    XCTAssertEqual(started.all, ["a", "b"])
    XCTAssertTrue(result.isPending)
    promises[1].fulfill(nil as Int? as Any)
    XCTAssertEqual(try result.value(), ["a", "b"])
  }

  // Spec: K11.1
  func testTasksOfEveryShape() throws {
    let sum = Log<Int>()
    XCTAssertEqual(try Promise.each(1...3) { (n: Int) in sum.append(n) }.value(), [1, 2, 3])
    XCTAssertEqual(try Promise.each([4]) { (n: Int) async in sum.append(n) }.value(), [4])
    XCTAssertEqual(try Promise.each([5]) { n async in sum.append(n as! Int) }.value(), [5])
    XCTAssertEqual(sum.all, [1, 2, 3, 4, 5])
    let mixed = Promise.each([1, 2]) { n -> Any? in
      if n as! Int == 1 { return nil }
      return Promise.resolved("ignored")
    }
    XCTAssertEqual(try mixed.value(), [1, 2])
    XCTAssertEqual(try Promise.each([1, "b", nil] as [Any?]) { _ in }.value(as: [Any].self).count, 3)
    XCTAssertEqual(try Promise.each([]) { _ in }.value(as: [Any].self).count, 0)
    XCTAssertEqual(try Promise.each(6...7) { sum.append(0) }.value(), [6, 7])
    XCTAssertEqual(sum.count, 7, "a task without a parameter is called for every input")
    let wrong = Promise.each([1]) { (text: String) in sum.append(text.count) }
    guard case PromiseError.typeMismatch = try wrong.reason() else { return XCTFail("\(wrong)") }
  }

  // Spec: K11.1
  func testWhatAnAsynchronousTaskReturnsIsWaitedFor() throws {
    let (returned, failure, started) = (Promise(), Failure(), Event())
    let result = Promise.each([1]) { (_: Int) async in
      started.signal()
      return returned
    }
    started.wait("the task")
    returned.reject(failure)
    XCTAssertTrue(try result.reason() as? Failure === failure)
  }

  // Spec: K11.2
  func testManyInputs() {
    onSmallStack {
      let result = Promise.each(0..<manyInputs) { _ in }
      XCTAssertEqual(try result.value(as: [Any].self).last as? Int, manyInputs - 1)
    }
  }
}
