// Bodies may use the promise that waits for them (H10.6).

import DynamicPromise
import DynamicPromiseDiagnostics
import DynamicPromiseTesting
import XCTest

final class ReentrantBodiesTests: XCTestCase {
  /// One promise for each kind of body. The body uses its promise through the `Way`.
  private static let bodies: [(name: String, start: @Sendable (SteppedContext, Way) -> Promise)] = [
    ("handler", { context, way in Promise.resolved(0, on: context).then { _ in way.walk() } }),
    ("rejection handler", { context, way in Promise.rejected("no", on: context).catch { _ in way.walk() } }),
    ("finally", { context, way in Promise.resolved(0, on: context).finally { way.walk() } }),
    ("task", { context, way in .task(on: context) { way.walk() } }),
    ("sequence", { context, way in .sequence([0, 1], on: context) { _ in way.walk() } }),
    ("repeat", { context, way in .repeat(on: context) { way.walk() } }),
    (
      "thenable",
      { context, way in .task(on: context) { StructThenable { resolve, _ in resolve(way.walk()) } } }
    ),
  ]

  /// Gives a body access to its promise after the promise has been made.
  private final class Way: @unchecked Sendable {
    private let use: (Promise) -> Void
    var promise: Promise?
    let walks = Counter()

    init(_ use: @escaping (Promise) -> Void) { self.use = use }

    @discardableResult
    func walk() -> Int {
      walks.increment()
      if let promise { use(promise) }
      return 1
    }
  }

  private func run(_ use: @escaping (Promise) -> Void, _ check: (String, Promise, Way) -> Void) {
    for body in Self.bodies {
      let context = SteppedContext()
      let way = Way(use)
      let promise = body.start(context, way)
      way.promise = promise
      for _ in 0..<100 where !context.step() { break }
      check(body.name, promise, way)
      way.promise = nil
      promise.cancel()
      context.drain()
    }
  }

  // Spec: H10.6
  func testABodyMayCancelItsPromise() {
    run({ $0.cancel("inside") }) { name, promise, way in
      guard case .failure(PromiseError.cancelled(let reason))? = promise.result else {
        return XCTFail("\(name): \(promise)")
      }
      XCTAssertEqual(reason as? String, "inside", name)
      XCTAssertTrue(promise.isCancelled, name)
      XCTAssertEqual(way.walks.value, 1, "\(name) starts nothing more")
    }
  }

  // Spec: H10.6
  func testABodyMayRegisterOnAndCombineItsPromise() {
    let seen = Log<Promise>()
    run({ promise in
      seen.append(promise.thenOn(.immediate, { $0 }, { $0 }))
      seen.append(Promise.all([promise, promise.setTimeout(3600)]))
      seen.append(Promise.race([promise], cancellingInputs: true))
      XCTAssertFalse(promise.treeDescription.isEmpty)
      if seen.count > 3 { promise.cancel() }
    }) { name, promise, way in
      promise.cancel()
      XCTAssertTrue(promise.isSettled, name)
    }
    XCTAssertTrue(seen.all.allSatisfy(\.isSettled))
  }

  // Spec: H10.6
  func testADeinitMayRegisterOnAPromiseThatIsBeingSettled() {
    for end: @Sendable (Promise) -> Void in [{ $0.fulfill(1) }, { $0.cancel() }, { $0.reject("no") }] {
      let registered = Log<Promise>()
      let input = Promise()
      let results = [
        Promise.all([input]), Promise.any([input]), Promise.race([input], cancellingInputs: true),
        input.setTimeout(3600), Promise.sequence([input], on: .immediate) { $0 },
      ]
      for result in results {
        let canary = Canary {
          registered.append(result.thenOn(.immediate, { $0 }, { $0 }))
          registered.append(input.thenOn(.immediate, { $0 }, { $0 }))
        }
        result.thenOn(
          .immediate, { _ in withExtendedLifetime(canary) {} }, { _ in withExtendedLifetime(canary) {} })
      }
      end(input)
      XCTAssertEqual(registered.count, 2 * results.count)
      XCTAssertTrue(registered.all.allSatisfy(\.isSettled))
    }
  }
}
