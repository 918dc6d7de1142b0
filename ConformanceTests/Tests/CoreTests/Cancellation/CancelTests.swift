// A cancel settles a promise at once, and everything below it (C1, C2).

import DynamicPromise
import XCTest

final class CancelTests: XCTestCase {
  private let context = SteppedContext()
  private let failure = Failure()

  // Spec: C1.2, C1.3, C1.4
  func testTheReasonIsTheGivenErrorOrAWrapper() throws {
    let failure = Failure("given")
    func reason(_ cancel: (Promise) -> Void) throws -> any Error {
      let promise = Promise()
      cancel(promise)
      XCTAssertTrue(promise.isCancelled, "any reason cancels by request")
      return try promise.reason()
    }
    XCTAssertTrue(try reason { $0.cancel() } is CancellationError)
    XCTAssertTrue(try reason { $0.cancel(failure) } as? Failure === failure)
    XCTAssertTrue(try reason { $0.cancel(failure as (any Error)? as Any) } as? Failure === failure)
    let text = try reason { $0.cancel("no longer wanted") }
    guard case PromiseError.cancelled(let wrapped) = text else { return XCTFail("\(text)") }
    XCTAssertEqual(wrapped as? String, "no longer wanted")
    XCTAssertTrue("\(text)".contains("no longer wanted"))
  }

  // Spec: C1.5, C3.6, R1.1
  func testACancelledPromiseIgnoresLaterSettlements() throws {
    let (promise, resolver) = Promise.pending()
    let (failure, fulfilled, rejected) = (Failure("first"), Counter(), Counter())
    promise.thenOn(.immediate, { _ in fulfilled.increment() }, { _ in rejected.increment() })
    promise.cancel(failure)
    promise.cancel(Failure("later"))
    promise.fulfill(1)
    promise.reject(Failure("later"))
    promise.resolve(2)
    promise.resolve(Promise.resolved(3))
    resolver.fulfill(4)
    resolver.reject(Failure("later"))
    resolver.resolve(5)
    resolver.resolve(6, nil)

    assertCancelled([promise], failure)
    XCTAssertEqual([fulfilled, rejected].map(\.value), [0, 1])
  }

  // Spec: C1.1, C2.1, R4.8
  func testRejectionHandlersRunWithTheReason() {
    let promise = Promise(on: context)
    let reasons = Log<any Error>()
    let values = Counter()
    promise.then { _ in values.increment() }
    promise.catch { reasons.append($0) }
    promise.then({ _ in values.increment() }, { reasons.append($0) })
    promise.finally { reasons.append(Failure("finally")) }
    promise.cancel(failure)
    XCTAssertTrue(promise.isCancelled && promise.isRejected && promise.isSettled && reasons.count == 0)
    context.drain()
    XCTAssertEqual(values.value, 0)
    XCTAssertEqual(reasons.all.filter { $0 as? Failure === failure }.count, 2)
    XCTAssertEqual(reasons.count, 3)
  }

  // Spec: C2.2, C2.3, C3.6
  func testTheChildIsCancelledWhenItsHandlerReturns() throws {
    let root = Promise(on: context)
    let seenInside = Log<Bool>()
    let children = Log<Promise>()
    children.append(
      root.catch { _ in
        children.all[0].then { $0 }.withdraw()
        seenInside.append(children.all[0].isPending)
        return "recovered"
      })
    children.append(root.then({ _ in 0 }, { _ in () }))
    children.append(root.catch { _ -> Any? in nil })
    children.append(root.finally { 1 })
    root.cancel(failure)
    root.cancel(Failure("later"))
    XCTAssertTrue(children.all.allSatisfy { $0.isPending }, "no handler has returned")

    for child in children.all {
      XCTAssertTrue(child.isPending)
      XCTAssertTrue(context.step())
      assertCancelled([child], failure)
    }
    XCTAssertEqual(seenInside.all, [true])
  }

  // Spec: C2.4, R4.1
  func testAnErrorFromTheHandlerBecomesTheChildsReason() throws {
    let root = Promise(on: context)
    let failure = Failure("of the handler")
    let children = [
      root.catch { _ in throw failure },
      root.catch { _ in failure },
      root.catch { _ -> Any in failure },
      root.catch { _ -> (any Error)? in failure },
      root.finally { throw failure },
    ]
    let below = children.map { $0.then { _ in 1 } }
    root.cancel(Failure("of the root"))
    context.drain()
    assertCancelled(children + below, failure, "not only rejected")
  }

  // Spec: C2.5
  func testTheChildDoesNotWaitForAPromiseThatItsHandlerReturns() throws {
    let root = Promise(on: context)
    let (cleanUp, called) = (Promise(), Counter())
    let thenable = Tracing(onGet: { called.increment() }, onCall: { called.increment() })
    let children = [
      root.catch { _ in thenable },
      root.catch { _ in cleanUp },
      root.catch { _ -> Any in cleanUp },
      root.catch { _ -> Promise? in cleanUp },
      root.finally { cleanUp },
    ]
    root.cancel(failure)
    context.drain()
    assertCancelled(children, failure)
    XCTAssertEqual(called.value, 0, "the thenable is not called")
    XCTAssertTrue(cleanUp.isPending, "the returned promise is not cancelled")
    cleanUp.fulfill("clean")
    XCTAssertTrue(cleanUp.isFulfilled)
  }

  // Spec: C2.7, C2.8
  func testAThenAfterTheCancelHasTheSameEffectAsAThenBefore() throws {
    let other = Failure("of the handler")
    let makers: [@Sendable (Promise) -> Promise] = [
      { $0.then { _ in 1 } },
      { $0.catch { _ in 2 } },
      { $0.then({ _ in 1 }, { _ in throw other }) },
      { $0.finally { 3 } },
      { $0.catch { _ in Promise() } },
      { $0.catch { _ in 2 }.then { _ in 4 } },
      { $0.then { _ in 1 }.catch { _ in 5 } },
    ]
    let root = Promise(on: context)
    let early = makers.map { $0(root) }
    root.cancel(failure)
    context.drain()
    // These children are added after the cancel, to the root and to a cancelled child.
    let late = makers.map { $0(root) } + makers.map { $0(early[0]) }
    context.drain()
    for (index, promise) in late.enumerated() {
      let kind = index % makers.count
      assertCancelled([early[kind], promise], kind == 2 ? other : failure, "\(index)")
    }
  }

  // Spec: C2.6, C2.9
  func testAParentIsCancelledBeforeItsChildren() {
    let root = Promise(on: .immediate)
    let child = root.then { _ in 1 }
    let heard = Log<String>()
    let grandchild = child.then { _ in 2 }
    child.catch { _ in
      heard.append("child \(root.isCancelled) \(child.isCancelled)")
    }
    grandchild.catch { _ in
      heard.append("grandchild \(root.isCancelled) \(child.isCancelled) \(grandchild.isCancelled)")
    }
    root.cancel()
    XCTAssertEqual(
      heard.all.sorted(), ["child true true", "grandchild true true true"])
  }

  // Spec: C2.2, C2.5
  func testAnAsynchronousRejectionHandlerIsNotInterrupted() throws {
    let (root, gate) = (Promise(), Promise())
    let (entered, isCancelled) = (Event(), Log<Bool>())
    @Sendable func cleanUp() async {
      entered.signal()
      await withCheckedContinuation { continuation in gate.then { continuation.resume() } }
      isCancelled.append(Task.isCancelled)
    }
    let children: [Promise] = [
      root.catch { (_: any Error) async in await cleanUp() }, root.finally { await cleanUp() },
    ]
    root.cancel()
    for _ in children { entered.wait() }
    XCTAssertTrue(children.allSatisfy(\.isPending))
    gate.fulfill(0)
    for child in children { _ = try child.reason() }
    XCTAssertEqual(isCancelled.all, [false, false])
    XCTAssertTrue(children.allSatisfy(\.isCancelled))
  }
}
