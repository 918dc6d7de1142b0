import Dispatch
import DynamicPromise
import TestSupport
import XCTest

/// Closures that suspend run in a task, with every overload.
final class SuspendingShapeChoiceTests: XCTestCase {
  private let one = Promise.resolved(1)
  private let failed = Promise.rejected(NumberedError(1))
  private let queue = DispatchQueue(label: "shape choice")
  private let isInTask: @Sendable () async -> Bool = {
    await Task.yield()
    return withUnsafeCurrentTask { $0 != nil }
  }

  // Spec: H6.5, H6.7
  func testClosuresThatSuspendRunInATask() throws {
    let isInTask = isInTask
    let children: [Promise] = [
      one.then { _ in await isInTask() }, one.then { (_: Int) in await isInTask() },
      one.then { await isInTask() },
      one.then { value in
        if value is String { return nil }
        return await isInTask()
      },
      one.then({ _ in await isInTask() }, { _ in 1 }),
      one.then({ _ in await isInTask() }, nil),
      failed.then(nil, { _ in await isInTask() }), failed.then({ _ in 1 }, { _ in await isInTask() }),
      failed.then(
        { _ in nil },
        { reason in
          if reason is NumberedError { return await isInTask() }
          return 1
        }),
      failed.catch { _ in await isInTask() }, failed.catch { await isInTask() },
      failed.catch { (_: NumberedError) in await isInTask() },
      failed.catch { reason in
        if reason is NumberedError { return await isInTask() }
        return nil
      },
    ]
    let ran = Promise()
    one.finally { _ = ran.fulfill(await isInTask()) }
    expect(children + [ran], toGive: true)
  }

  // Spec: H6.5, H6.7
  func testClosuresThatSuspendOnContextsRunInATask() throws {
    let isInTask = isInTask
    let children: [Promise] = [
      one.thenOn(queue) { _ in await isInTask() }, one.thenOn(.main) { (_: Int) in await isInTask() },
      one.thenOn(queue) { await isInTask() },
      one.thenOn(queue) { value in
        if value is String { return nil }
        return await isInTask()
      },
      one.thenOn(queue, { _ in await isInTask() }, { _ in 1 }),
      one.thenOn(queue, { _ in await isInTask() }, nil),
      failed.thenOn(queue, nil, { _ in await isInTask() }),
      failed.thenOn(queue, { $0 }, { _ in await isInTask() }),
      failed.thenOn(
        queue, { _ in nil },
        { reason in
          if reason is NumberedError { return await isInTask() }
          return 1
        }),
      failed.catchOn(queue) { _ in await isInTask() }, failed.catchOn(.main) { await isInTask() },
      failed.catchOn(queue) { (_: NumberedError) in await isInTask() },
      failed.catchOn(queue) { reason in
        if reason is NumberedError { return await isInTask() }
        return nil
      },
    ]
    let ran = Promise()
    one.finallyOn(queue) { _ = ran.fulfill(await isInTask()) }
    expect(children + [ran], toGive: true)
  }

  // Spec: H6.5, H6.7
  func testClosuresThatSuspendOnTheMainActorRunInATask() throws {
    let isInTask = isInTask
    let screen = MainActor.assumeIsolated { Screen() }
    let children: [Promise] = [
      one.thenOnMain { _ in await isInTask() && screen.isClear },
      one.thenOnMain { (_: Int) in await isInTask() && screen.isClear },
      one.thenOnMain { await isInTask() },
      one.thenOnMain { value in
        if value is String { return nil }
        return await isInTask() && screen.isClear
      },
      one.thenOnMain({ _ in await isInTask() }, { _ in 1 }),
      one.thenOnMain({ _ in await isInTask() }, nil),
      failed.thenOnMain(nil, { _ in await isInTask() }),
      failed.thenOnMain({ $0 }, { _ in await isInTask() }),
      failed.thenOnMain(
        { _ in nil },
        { _ in
          if screen.isClear { return await isInTask() }
          return 1
        }),
      failed.catchOnMain { _ in await isInTask() && screen.isClear }, failed.catchOnMain { await isInTask() },
      failed.catchOnMain { (_: NumberedError) in await isInTask() && screen.isClear },
      failed.catchOnMain { reason in
        if reason is NumberedError { return await isInTask() && screen.isClear }
        return nil
      },
    ]
    let ran = Promise()
    one.finallyOnMain { _ = ran.fulfill(await isInTask() && screen.isClear) }
    expect(children + [ran], toGive: true)
  }
}
