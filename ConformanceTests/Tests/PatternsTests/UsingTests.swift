import DynamicPromise
import DynamicPromisePatterns
import DynamicPromiseTesting
import TestSupport
import XCTest

final class UsingTests: XCTestCase {
  private let log = Recorded<[String]>([])

  /// A resource that opens at once, or when `promise` is fulfilled. The resource logs its closing.
  private func resource(_ name: String, _ promise: Promise? = nil) -> PromisedResource {
    (promise ?? .resolved(name)).closing { [log] (name: String) in log.append("close \(name)") }
  }

  func testOpenUseClose() throws {
    let (a, b) = (Promise(on: .immediate), Promise(on: .immediate))
    let used = Promise.using(resource("a", a), resource("b", b), on: .immediate) {
      [log] (a: String, b: String) in
      log.append("use \(a) \(b)")
      return a.count + b.count
    }
    b.fulfill("b")
    XCTAssertEqual(log.value, [])
    a.fulfill("a")
    XCTAssertEqual(log.value, ["use a b", "close b", "close a"])
    XCTAssertEqual(try used.result?.get() as? Int, 2)
  }

  func testAnyNumber() throws {
    let names = (0..<3).map { "\($0)" }
    let used = Promise.using(names.map { resource($0) }, on: .immediate) { values in values.count }
    XCTAssertEqual(try used.result?.get() as? Int, 3)
    XCTAssertEqual(log.value, ["close 2", "close 1", "close 0"])
    XCTAssertTrue(Promise.using([], on: .immediate) { $0.isEmpty }.isFulfilled)
  }

  func testAResourceThatIsAnErrorOrAPromise() throws {
    struct Fault: Error {}
    let (fault, promise) = (Promise(on: .immediate), Promise(on: .immediate))
    fault.fulfill(Fault())
    promise.fulfill(Promise())
    let resources = [fault, promise].map { opened in
      opened.closing { [log] (resource: Any) in log.append("close \(type(of: resource))") }
    }
    let used = Promise.using(resources, on: .immediate) { values in values.count }
    XCTAssertEqual(try used.result?.get() as? Int, 2)
    XCTAssertEqual(log.value, ["close Promise", "close Fault"])
  }

  func testAsynchronousFunctions() throws {
    let file = Promise.resolved("file").closing { [log] (name: String) async in
      await Task.yield()
      log.append("close \(name)")
    }
    let used = Promise.using(file) { (name: String) async in
      await Task.yield()
      return name
    }
    XCTAssertEqual(try value(of: used), "file")
    XCTAssertEqual(log.value, ["close file"], "the result waits for the closing")
  }

  func testOneThatCannotBeOpened() throws {
    let (late, failing) = (Promise(on: .immediate), Promise(on: .immediate))
    let used = Promise.using(resource("a"), resource("late", late), resource("b", failing), on: .immediate) {
      (_: String, _: String, _: String) in XCTFail("not all resources are open")
    }
    failing.reject(NumberedError(1))
    XCTAssertEqual(log.value, [])
    XCTAssertTrue(used.isPending, "the result waits for the late resource")
    late.fulfill("late")
    XCTAssertEqual(log.value, ["close late", "close a"])
    XCTAssertEqual(try reason(of: used), NumberedError(1))
  }

  func testAUseThatFails() throws {
    let used = Promise.using(resource("a"), on: .immediate) { (_: String) in throw NumberedError(1) }
    XCTAssertEqual(try reason(of: used), NumberedError(1))
    let mistyped = Promise.using(resource("b"), on: .immediate) { (_: Int) in 1 }
    guard case .typeMismatch = try reason(of: mistyped, as: PromiseError.self) else { return XCTFail() }
    XCTAssertEqual(log.value, ["close a", "close b"])
  }

  func testAClosingThatWaitsOrFails() throws {
    let gate = Promise(on: .immediate)
    let slow = Promise.resolved("slow").closing { [log] (name: String) in
      gate.then { _ in log.append("close \(name)") }
    }
    let failing = [1, 2].map { number in
      Promise.resolved(number).closing { (number: Int) in throw NumberedError(number) }
    }
    let used = Promise.using(failing[0], slow, failing[1], on: .immediate) { (_: Int, _: String, _: Int) in 1
    }
    XCTAssertTrue(used.isPending)
    gate.fulfill(1)
    XCTAssertEqual(try reason(of: used), NumberedError(2), "the first error of a closing")
    XCTAssertEqual(log.value, ["close slow"])
    let both = Promise.using(failing[0], on: .immediate) { (_: Int) in throw NumberedError(3) }
    XCTAssertEqual(try reason(of: both), NumberedError(3), "the error of the use")
  }

  func testCancellingTheUse() {
    let (source, stepped) = (Source(), TestContext())
    let used = Promise.using(resource("a"), on: .immediate) { [log] (_: String) in
      source.next().catchOn(stepped) { error in
        log.append("the use ends")
        throw error
      }
    }
    used.withdraw()
    XCTAssertTrue(used.isCancelled && source.all[0].isCancelled)
    XCTAssertEqual(log.value, [])
    stepped.drain()
    XCTAssertEqual(log.value, ["the use ends", "close a"])
  }

  func testCancellingAnAsynchronousUse() throws {
    let (gate, begun) = (Promise(), expectation(description: "begun"))
    let closed = expectation(description: "closed")
    let file = Promise.resolved("a").closing { [log] (_: String) in
      log.append("close a")
      closed.fulfill()
    }
    let used = Promise.using(file) { [log] (_: String) async in
      begun.fulfill()
      await fulfilled(gate)
      log.append("the use ends")
    }
    wait(for: [begun], timeout: 20)
    used.withdraw()
    XCTAssertEqual(log.value, [])
    gate.fulfill(1)
    wait(for: [closed], timeout: 20)
    XCTAssertEqual(log.value, ["the use ends", "close a"])
  }

  func testACancelOfTheResultAloneLeavesTheUse() {
    let source = Source()
    let used = Promise.using(resource("a"), on: .immediate) { (_: String) in source.next() }
    used.cancel()
    XCTAssertTrue(used.isCancelled && source.all[0].isPending)
    XCTAssertEqual(log.value, [])
    source.all[0].fulfill(1)
    XCTAssertEqual(log.value, ["close a"])
  }

  func testCancellingWhileItOpens() {
    let (a, b, isCancelled) = (Promise(on: .immediate), Promise(on: .immediate), Recorded(false))
    b.catch { _ in isCancelled.change { $0 = true } }
    let used = Promise.using(resource("a", a.then { $0 }), resource("b", b), on: .immediate) {
      (_: String, _: String) in XCTFail("a cancelled use ran")
    }
    a.fulfill("a")
    used.withdraw()
    XCTAssertTrue(used.isCancelled && b.isPending)
    XCTAssertEqual(log.value, [])
    b.fulfill("b")
    XCTAssertEqual(log.value, ["close b", "close a"])
    XCTAssertFalse(isCancelled.value)
  }

  func testCancellingBeforeTheUseBegins() {
    let context = TestContext()
    let used = Promise.using(resource("a"), on: context) { (_: String) in XCTFail("a cancelled use ran") }
    used.withdraw()
    context.drain()
    XCTAssertEqual(log.value, ["close a"])
  }

  func testContextsOfSeveralClosings() {
    let (context, waits) = (TestContext(), Promise(on: .immediate))
    let used = Promise.using(
      resource("a"),
      Promise.resolved("b").closing { (_: String) in waits }, on: context
    ) { (_: String, _: String) in }
    eventually("used") { context.pendingJobs > 0 }
    context.drain()
    waits.fulfill(())
    XCTAssertEqual(log.value, [], "the second closing does not run on this stack")
    context.drain()
    XCTAssertEqual(log.value, ["close a"])
    XCTAssertTrue(used.isFulfilled)
  }
}
