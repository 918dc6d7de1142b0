import Dispatch
import DynamicPromise
import TestSupport
import XCTest

/// Several overloads accept a closure, and only a run shows which overload is used. A wrong overload could
/// run an ordinary closure in a task, use the context of a missing handler, or wrap a result in an Optional.
final class ShapeChoiceTests: XCTestCase {
  private let one = Promise.resolved(1)
  private let failed = Promise.rejected(NumberedError(1))
  private let queue = DispatchQueue(label: "shape choice")

  // Spec: H6.5, H4.1, S1.3
  func testOrdinaryClosuresRunInNoTask() throws {
    let isInTask: @Sendable () -> Bool = { withUnsafeCurrentTask { $0 != nil } }
    let screen = MainActor.assumeIsolated { Screen() }
    let children: [Promise] = [
      one.then { _ in isInTask() }, one.then { (_: Int) in isInTask() }, one.then { isInTask() },
      one.then { value in
        if value is String { return nil }
        return isInTask()
      },
      one.then({ _ in isInTask() }, { _ in 1 }), one.then({ (_: Int) in isInTask() }, { _ in 1 }),
      one.then({ _ in isInTask() }, nil), one.then({ (_: Int) in isInTask() }, nil),
      failed.then({ _ in 1 }, { _ in isInTask() }), failed.then(nil, { _ in isInTask() }),
      failed.catch { _ in isInTask() }, failed.catch { isInTask() },
      failed.catch { (_: NumberedError) in isInTask() },
      one.thenOn(queue) { _ in isInTask() }, one.thenOn(.main) { (_: Int) in isInTask() },
      one.thenOn(queue) { isInTask() }, one.thenOn(.immediate, { _ in isInTask() }, { _ in 1 }),
      one.thenOn(queue, { (_: Int) in isInTask() }, { _ in 1 }), one.thenOn(queue, { _ in isInTask() }, nil),
      one.thenOn(queue, { (_: Int) in isInTask() }, nil), failed.thenOn(queue, nil, { _ in isInTask() }),
      failed.catchOn(queue) { _ in isInTask() }, failed.catchOn(.main) { isInTask() },
      failed.catchOn(queue) { (_: NumberedError) in isInTask() },
      one.thenOnMain { _ in screen.isClear && isInTask() },
      one.thenOnMain { (_: Int) in screen.isClear && isInTask() },
      one.thenOnMain { screen.isClear && isInTask() },
      one.thenOnMain({ _ in screen.isClear && isInTask() }, { _ in 1 }),
      one.thenOnMain({ (_: Int) in screen.isClear && isInTask() }, nil),
      failed.thenOnMain(nil, { _ in screen.isClear && isInTask() }),
      failed.catchOnMain { _ in screen.isClear && isInTask() },
      failed.catchOnMain { (_: NumberedError) in screen.isClear && isInTask() },
    ]
    let (ran, ranOnQueue) = (Promise(), Promise())
    one.finally { _ = ran.fulfill(isInTask()) }
    one.finallyOn(queue) { _ = ranOnQueue.fulfill(isInTask()) }
    expect(children + [ran, ranOnQueue], toGive: false)
  }

  // Spec: H6.5, H6.7
  func testClosuresThatSuspendRunInATask() throws {
    let isInTask: @Sendable () async -> Bool = {
      await Task.yield()
      return withUnsafeCurrentTask { $0 != nil }
    }
    let children: [Promise] = [
      one.then { _ in await isInTask() }, one.then { (_: Int) in await isInTask() },
      one.then { await isInTask() }, one.then({ _ in await isInTask() }, { _ in 1 }),
      one.then({ _ in await isInTask() }, nil), failed.then(nil, { _ in await isInTask() }),
      failed.catch { _ in await isInTask() }, failed.catch { await isInTask() },
      failed.catch { (_: NumberedError) in await isInTask() },
      one.thenOn(queue) { _ in await isInTask() }, one.thenOn(.main) { (_: Int) in await isInTask() },
      one.thenOn(queue) { await isInTask() }, one.thenOn(queue, { _ in await isInTask() }, { _ in 1 }),
      one.thenOn(queue, { _ in await isInTask() }, nil),
      failed.thenOn(queue, nil, { _ in await isInTask() }),
      failed.catchOn(queue) { _ in await isInTask() },
      failed.catchOn(queue) { (_: NumberedError) in await isInTask() },
      one.thenOnMain { _ in await isInTask() }, one.thenOnMain { (_: Int) in await isInTask() },
      one.thenOnMain({ _ in await isInTask() }, nil), failed.thenOnMain(nil, { _ in await isInTask() }),
      failed.catchOnMain { _ in await isInTask() },
    ]
    let ran = Promise()
    one.finally { _ = ran.fulfill(await isInTask()) }
    expect(children + [ran], toGive: true)
  }

  /// A closure that passes its input to a parameter of type `Any?` fits two shapes: the shape for untyped
  /// inputs, and the typed shape with `Any?`. The compiler must prefer one shape.
  // Spec: H4.1, X3.18
  func testInputsThatArePassedOnAsOptionals() throws {
    let tally = Tally()
    let isThere: @Sendable (Any?) -> Bool = { $0 != nil }
    let isThereLater: @Sendable (Any?) async -> Bool = { $0 != nil }
    let children: [Promise] = [
      one.then { isThere($0) }, one.then({ isThere($0) }, nil), one.then({ isThere($0) }, { isThere($0) }),
      one.then { await isThereLater($0) }, failed.catch { isThere($0) }, failed.then(nil, { isThere($0) }),
      failed.catch { await isThereLater($0) },
      one.thenOn(queue) { isThere($0) }, one.thenOn(queue, { isThere($0) }, nil),
      one.thenOn(queue, { isThere($0) }, { isThere($0) }), failed.catchOn(queue) { isThere($0) },
      one.thenOnMain { isThere($0) }, one.thenOnMain({ isThere($0) }, nil),
      failed.catchOnMain { isThere($0) },
      one.thenOn(tally) { _, value in isThere(value) }, one.thenOn(tally) { $0.isThere($1) },
      one.thenOn(tally) { tally, value in await tally.isThereLater(value) },
      failed.catchOn(tally) { _, reason in isThere(reason) },
      failed.catchOn(tally) { tally, reason in await tally.isThereLater(reason) },
    ]
    expect(children, toGive: true)
  }

  /// A handler's result arrives unchanged in every shape.
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
      one.thenOn(tally) { _, number in number },
      failed.catch { 1 }, failed.catch { _ in 1 }, failed.catch { (_: NumberedError) in 1 },
    ]
    for (index, child) in children.enumerated() {
      let found = try value(of: child, as: Any.self)
      XCTAssertTrue(type(of: found) == Int.self, "number \(index): \(type(of: found))")
    }
  }
}

private actor Tally {
  func isThere(_ value: Any?) -> Bool { value != nil }

  func isThereLater(_ value: Any?) async -> Bool { value != nil }
}
