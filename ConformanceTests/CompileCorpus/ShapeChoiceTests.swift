import Dispatch
import DynamicPromise
import TestSupport
import XCTest

/// Which of the overloads that would take a closure is taken shows at run time only: an ordinary closure
/// could be run in a task, a missing handler could need its context, a result could be put into an Optional.
final class ShapeChoiceTests: XCTestCase {
  private let one = Promise.resolved(1)
  private let failed = Promise.rejected(NumberedError(1))
  private let queue = DispatchQueue(label: "shape choice")
  private let isInTask: @Sendable () -> Bool = { withUnsafeCurrentTask { $0 != nil } }

  // Spec: H6.5
  func testOrdinaryClosuresRunInNoTask() throws {
    let isInTask = isInTask
    let yes = try value(of: one, as: Int.self) == 1
    let children: [Promise] = [
      one.then { _ in isInTask() }, one.then { (_: Int) in isInTask() }, one.then { isInTask() },
      one.then { value in
        if value is String { return nil }
        return isInTask()
      },
      one.then {
        if yes { return isInTask() }
        return 1
      },
      one.then({ _ in isInTask() }, { _ in 1 }), one.then({ (_: Int) in isInTask() }, { _ in 1 }),
      one.then({ _ in isInTask() }, nil), one.then({ (_: Int) in isInTask() }, nil),
      one.then({ (_: Int) in isInTask() }, { _ -> Any? in nil }),
      failed.then({ _ in 1 }, { _ in isInTask() }), failed.then(nil, { _ in isInTask() }),
      failed.catch { _ in isInTask() }, failed.catch { isInTask() },
      failed.catch { (_: NumberedError) in isInTask() },
      failed.catch { reason in
        if reason is NumberedError { return isInTask() }
        return nil
      },
      failed.catch { (_: NumberedError) -> Any? in
        if yes { return isInTask() }
        return nil
      },
    ]
    for (index, child) in children.enumerated() {
      XCTAssertEqual(try value(of: child), false, "number \(index)")
    }
  }

  // Spec: H6.5
  func testOrdinaryClosuresOnContextsRunInNoTask() throws {
    let isInTask = isInTask
    let children: [Promise] = [
      one.thenOn(queue) { _ in isInTask() }, one.thenOn(.main) { (_: Int) in isInTask() },
      one.thenOn(queue) { isInTask() }, one.thenOn(.immediate, { _ in isInTask() }, { _ in 1 }),
      one.thenOn(queue, { (_: Int) in isInTask() }, nil), failed.thenOn(queue, nil, { _ in isInTask() }),
      failed.catchOn(queue) { _ in isInTask() }, failed.catchOn(.main) { isInTask() },
      failed.catchOn(queue) { (_: NumberedError) in isInTask() },
    ]
    for (index, child) in children.enumerated() {
      XCTAssertEqual(try value(of: child), false, "number \(index)")
    }
    let ran = Recorded<Bool?>(nil)
    _ = try value(of: one.finally { ran.change { $0 = isInTask() } }, as: Int.self)
    XCTAssertEqual(ran.value, false)
    _ = try value(of: one.finallyOn(queue) { ran.change { $0 = isInTask() } }, as: Int.self)
    XCTAssertEqual(ran.value, false)
  }

  // Spec: H6.5
  func testOrdinaryClosuresOfTheMainActorRunInNoTask() throws {
    let isInTask = isInTask
    let screen = MainActor.assumeIsolated { Screen() }
    let children: [Promise] = [
      one.thenOnMain { _ in screen.isClear && isInTask() },
      one.thenOnMain { (_: Int) in screen.isClear && isInTask() },
      one.thenOnMain { screen.isClear && isInTask() },
      one.thenOnMain({ _ in screen.isClear && isInTask() }, { _ in 1 }),
      one.thenOnMain({ (_: Int) in screen.isClear && isInTask() }, nil),
      failed.thenOnMain(nil, { _ in screen.isClear && isInTask() }),
      failed.catchOnMain { _ in screen.isClear && isInTask() },
      failed.catchOnMain { screen.isClear && isInTask() },
      failed.catchOnMain { (_: NumberedError) in screen.isClear && isInTask() },
    ]
    for (index, child) in children.enumerated() {
      XCTAssertEqual(try value(of: child), false, "number \(index)")
    }
    let ran = Recorded<Bool?>(nil)
    _ = try value(
      of: one.finallyOnMain { ran.change { $0 = screen.isClear && isInTask() } }, as: Int.self)
    XCTAssertEqual(ran.value, false)
  }

  // Spec: H6.5
  func testClosuresThatSuspendRunInATask() throws {
    let isInTask: @Sendable () async -> Bool = {
      await Task.yield()
      return withUnsafeCurrentTask { $0 != nil }
    }
    let children: [Promise] = [
      one.then { _ in await isInTask() }, one.then { (_: Int) in await isInTask() },
      one.then { await isInTask() }, one.then({ _ in await isInTask() }, { _ in 1 }),
      one.then({ (_: Int) in await isInTask() }, nil), failed.then(nil, { _ in await isInTask() }),
      failed.then({ _ in 1 }, { _ in await isInTask() }),
      one.thenOn(queue) { await isInTask() }, one.thenOn(queue) { (_: Int) in await isInTask() },
      one.thenOnMain { _ in await isInTask() }, one.thenOnMain { await isInTask() },
      failed.catch { _ in await isInTask() }, failed.catch { await isInTask() },
      failed.catch { (_: NumberedError) in await isInTask() },
      failed.catchOn(queue) { await isInTask() }, failed.catchOnMain { _ in await isInTask() },
    ]
    for (index, child) in children.enumerated() {
      XCTAssertEqual(try value(of: child), true, "number \(index)")
    }
  }

  /// What a handler returns arrives as it is, whichever shape took it.
  // Spec: H3.2
  func testResultsAreNotPutIntoOptionals() throws {
    let tally = Tally()
    let children: [Promise] = [
      one.then { _ in 1 }, one.then { 1 }, one.then { (_: Int) in 1 }, one.then({ _ in 1 }, nil),
      one.then({ (_: Int) in 1 }, { _ -> Any? in nil }), one.then { _ -> Any? in 1 },
      one.then { _ in
        await Task.yield(); return 1
      }, one.thenOnMain { 1 },
      one.thenOn(tally) { _, _ in 1 }, one.thenOn(tally) { (_, number: Int) in number },
      one.thenOn(tally) { _, number in number }, one.thenOn(tally, { _, _ in 1 }, nil),
      failed.catch { 1 }, failed.catch { _ in 1 }, failed.catch { (_: NumberedError) in 1 },
    ]
    for (index, child) in children.enumerated() {
      let found = try value(of: child, as: Any.self)
      XCTAssertTrue(type(of: found) == Int.self, "number \(index): \(type(of: found))")
    }
  }

  /// No handler needs no context.
  // Spec: H5.1, H5.2
  func testMissingHandlersAreNone() throws {
    let context = Counting()
    let none: (@Sendable (Any) throws -> Int)? = nil
    let noTyped: (@Sendable (Int) throws -> Int)? = nil
    let noReason: (@Sendable (any Error) throws -> Int)? = nil
    let noTask: (@Sendable (Any) async throws -> Int)? = nil
    let noOptional: (@Sendable (Any) throws -> Any?)? = nil
    let children: [Promise] = [
      one.thenOn(context, nil), one.thenOn(context, nil, nil), one.thenOn(context, none),
      one.thenOn(context, noTyped), one.thenOn(context, noTask), one.thenOn(context, noOptional),
      one.thenOn(context, none, nil), one.thenOn(context, none, noReason),
      one.thenOn(context, noTyped, noReason), one.thenOn(context, nil, noReason),
      one.catchOn(context, nil), one.catchOn(context, noReason),
    ]
    for child in children { XCTAssertEqual(try value(of: child), 1) }
    XCTAssertEqual(context.jobs.value, 0)
    XCTAssertEqual(try value(of: one.thenOnMain(nil)), 1)
    XCTAssertEqual(try value(of: one.thenOnMain(nil, nil)), 1)
    XCTAssertEqual(try reason(of: failed.catchOnMain(nil)), NumberedError(1))
  }
}

@MainActor
private final class Screen {
  var isClear = true
}

private actor Tally {}

private final class Counting: ExecutionContext {
  let jobs = Recorded(0)

  func execute(_ job: @escaping @Sendable () -> Void) {
    jobs.change { $0 += 1 }
    DispatchQueue.global().async(execute: job)
  }
}
