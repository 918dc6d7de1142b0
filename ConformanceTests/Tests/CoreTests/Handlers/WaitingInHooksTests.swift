// Blocking waits on a thread that still has hooks or handlers to run (H2.11).

import DynamicPromise
import XCTest

final class WaitingInHooksTests: XCTestCase {
  // Spec: H2.11
  func testAHookMayWaitForTheCleanUpBelow() {
    let contexts: [any ExecutionContext] = [.immediate, DefaultContext(), DispatchQueue(label: "serial")]
    for context in contexts {
      inTime {
        let (promise, resolver) = Promise.pending(on: context)
        let cleaned = Counter()
        let cleanUp = promise.catch { _ in cleaned.increment() }
        let waits = Log<Bool>()
        resolver.onCancel { _ in waits.append(cleanUp.wait()) }
        promise.cancel()
        XCTAssertEqual(waits.all, [true])
        XCTAssertEqual(cleaned.value, 1)
      }
    }
  }

  // Spec: H2.11
  func testAHookOfTheSecondOfTwoPromisesMayWaitForTheFirst() {
    inTime {
      let root = Promise(on: .immediate)
      let first = root.catch { _ in }
      let (second, resolver) = Promise.pending(on: .immediate)
      root.then { _ in }.bind(second)
      let waits = Log<Bool>()
      resolver.onCancel { _ in waits.append(first.wait()) }
      root.cancel()
      second.cancel()
      XCTAssertEqual(waits.all, [true])
    }
  }

  /// Each object is freed once, even if its `deinit` waits. A fault can only show in an optimized build.
  // Spec: H2.11
  func testADeinitThatWaitsAmongOthersThatGo() {
    inTime {
      let (root, other, gone) = (Promise(on: .immediate), Promise(on: .immediate), Counter())
      for _ in 0..<4 {
        let token = Canary {
          _ = try? other.get(timeout: 0.0001)
          gone.increment()
        }
        root.catch { _ in withExtendedLifetime(token) {} }
      }
      root.fulfill(1)
      XCTAssertEqual(gone.value, 4)
    }
  }

  /// The wait in the inner hook runs the handlers that the outer call has not run yet.
  // Spec: H2.11
  func testAHookInsideOfAHookMayWaitForWhatTheOuterCallHasLeft() {
    inTime {
      let (outer, outerResolver) = Promise.pending(on: .immediate)
      let (inner, innerResolver) = Promise.pending(on: .immediate)
      let cleanUp = outer.catch { _ in }
      let waits = Log<Bool>()
      outerResolver.onCancel { _ in inner.cancel() }
      innerResolver.onCancel { _ in waits.append(cleanUp.wait()) }
      outer.cancel()
      XCTAssertEqual(waits.all, [true])
    }
  }

  /// The wait fails, because the sibling's handler runs on this stack after the waiting handler has returned.
  // Spec: H2.11
  func testAHandlerInPlaceThatWaitsForItsSibling() {
    inTime {
      let promise = Promise(on: .immediate)
      let waits = Log<Bool>()
      let late = Log<Promise>()
      promise.then { _ in waits.append(late.all[0].wait()) }
      late.append(promise.then { _ in })
      promise.fulfill(1)
      XCTAssertEqual(waits.all, [false])
      XCTAssertTrue(late.all[0].isFulfilled)
    }
  }

  /// The wait must run the clean-up handler, because the hook runs before that handler.
  // Spec: H2.11
  func testAHookOfACancelDeepInHandlersInPlace() {
    inTime {
      let waits = Log<Bool>()
      Self.nest(20) {
        let (promise, resolver) = Promise.pending(on: .immediate)
        let cleanUp = promise.catch { _ in }
        resolver.onCancel { _ in waits.append(cleanUp.wait()) }
        promise.cancel()
      }
      XCTAssertEqual(waits.all, [true])
    }
  }

  /// The value that a `finally` body returns is ignored. That value's `deinit` may wait for the next promise.
  // Spec: H2.11
  func testADeinitOfWhatAFinallyReturnedMayWait() {
    inTime {
      let root = Promise(on: AtOnce())
      let (waits, next) = (Log<Bool>(), Log<Promise>())
      let cleanUp = root.finally { Canary { waits.append(next.all[0].wait()) } }
      next.append(cleanUp.then { $0 })
      root.fulfill(1)
      XCTAssertEqual(waits.all, [true])
    }
  }

  /// The value is freed once, even if its `deinit` waits. A fault can only show in an optimized build.
  // Spec: H2.11, X4.3
  func testADeinitOfAValueThatComesTooLateMayWait() {
    inTime {
      let settled = Promise(on: .immediate)
      let other = Promise(on: .immediate)
      let freed = Counter()
      settled.fulfill(1)
      settled.fulfill(
        Canary {
          freed.increment()
          _ = try? other.get(timeout: 0.001)
        })
      XCTAssertEqual(freed.value, 1)
      other.fulfill(1)
    }
  }

  /// Even inside handlers in place, the settling call schedules handlers of other contexts before it returns.
  // Spec: A4.7
  func testDeepInHandlersInPlaceOtherContextsHearAtOnce() {
    inTime {
      Self.nest(40) {
        let other = Promise(on: DispatchQueue(label: "other"))
        let ran = Event()
        other.then { _ in ran.signal() }
        other.fulfill(1)
        ran.wait("the handler on another queue")
      }
    }
  }

  private static func nest(_ depth: Int, _ body: @escaping @Sendable () -> Void) {
    let promise = Promise(on: .immediate)
    promise.then { _ in depth == 0 ? body() : nest(depth - 1, body) }
    promise.fulfill(0)
  }
}
