// Every place that accepts a thenable. The thenables call their functions twice, on another thread, after a
// throw, or never (H10.4).

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class HostileThenableTests: XCTestCase {
  private typealias Function = @Sendable (Any) -> Void
  private typealias Method = @Sendable (@escaping Function, @escaping Function) throws -> Void

  private final class Hostile: Thenable, Sendable {
    private let getter: @Sendable () throws -> Void
    private let method: Method

    init(getter: @escaping @Sendable () throws -> Void = {}, _ method: @escaping Method) {
      self.getter = getter
      self.method = method
    }

    var then: ThenMethod? {
      get throws {
        try getter()
        return method
      }
    }
  }

  private static func first(of values: Promise) -> Promise {
    values.thenOn(.immediate) { ($0 as! [Any])[0] }
  }

  /// Every place that accepts a thenable. The promise settles with the thenable's outcome.
  private static let entries: [(name: String, run: @Sendable (Hostile) -> Promise)] = [
    ("resolved", { .resolved($0) }),
    ("resolve", { Promise().decided(with: $0) }),
    ("resolver", { thenable in Promise { $0.resolve(thenable) } }),
    ("handler", { thenable in Promise.resolved(0).thenOn(.immediate) { _ in thenable } }),
    ("rejection handler", { thenable in Promise.rejected(0).catchOn(.immediate) { _ in thenable } }),
    ("task", { thenable in .task(on: .immediate) { thenable } }),
    ("async", { thenable in Promise { () async in thenable } }),
    ("thenable", { thenable in .resolved(Hostile { resolve, _ in resolve(thenable) }) }),
    ("all", { thenable in first(of: .all([thenable])) }),
    (
      "allSettled",
      { thenable in
        Promise.allSettled([thenable]).thenOn(.immediate) { ($0 as! [Result<Any, any Error>])[0] }
          .thenOn(.immediate) { (result: Result<Any, any Error>) in try result.get() }
      }
    ),
    ("race", { thenable in .race([thenable]) }),
    (
      "any",
      { thenable in
        Promise.any([thenable]).catchOn(.immediate) { error -> Any in
          if case PromiseError.noneFulfilled(let reasons) = error { throw reasons[0] }
          throw error
        }
      }
    ),
    ("sequence input", { thenable in first(of: .sequence([thenable], on: .immediate) { $0 }) }),
    ("sequence task", { thenable in first(of: .sequence([0], on: .immediate) { _ in thenable }) }),
    (
      "repeat",
      { thenable in
        let rounds = Counter()
        return Promise.repeat(on: .immediate) { () -> Any? in
          rounds.increment()
          return rounds.value == 1 ? thenable : nil
        }
      }
    ),
    (
      "delay",
      { thenable in
        let clock = TestContext()
        let promise = Promise.delay(0, thenable, on: clock)
        clock.advance(by: 0)
        return promise
      }
    ),
    (
      "finally",
      { thenable in
        // The log stores the thenable's value, because `finally` keeps the receiver's outcome.
        let seen = Log<Any>()
        let noting = Hostile { resolve, reject in
          Promise.resolved(thenable).thenOn(
            .immediate,
            { value in
              seen.append(value)
              resolve(value)
            }, { reason in reject(reason) })
        }
        return Promise.resolved(0).finallyOn(.immediate) { noting }.thenOn(.immediate) { _ in seen.all[0] }
      }
    ),
  ]

  // Spec: H10.4
  func testTheFirstCallCounts() throws {
    for (name, enter) in Self.entries {
      let failure = Failure(name)
      let value = enter(
        Hostile { resolve, reject in
          resolve("first")
          resolve("second")
          reject(failure)
          throw failure
        })
      XCTAssertEqual(try value.value(as: String.self), "first", name)
      let reason = enter(
        Hostile { resolve, reject in
          reject(failure)
          reject(Failure("second"))
          resolve("second")
          throw Failure("third")
        })
      XCTAssertTrue(try reason.reason() as? Failure === failure, name)
      let late = Log<Function>()
      let thrown = enter(
        Hostile { resolve, _ in
          late.append(resolve)
          throw failure
        })
      XCTAssertTrue(try thrown.reason() as? Failure === failure, name)
      late.all[0]("late")
      XCTAssertTrue(thrown.isRejected, name)
      let unread = enter(Hostile(getter: { throw failure }, { _, _ in XCTFail("called") }))
      XCTAssertTrue(try unread.reason() as? Failure === failure, name)
    }
  }

  // Spec: H10.4
  func testOneThatIsIsolatedToAnActorIsAPlainValueElsewhere() throws {
    #if compiler(>=6.2)
      let model = IsolatedThenable()
      let value = try Promise.resolved(()).then { _ in model }.value(as: IsolatedThenable.self)
      XCTAssertTrue(value === model)
    #endif
  }

  // Spec: A2.2, H10.4
  func testItMayCallFromAnotherThread() throws {
    for (name, enter) in Self.entries {
      let failure = Failure(name)
      let value = enter(
        Hostile { resolve, reject in
          DispatchQueue.global().async {
            resolve("elsewhere")
            reject(failure)
          }
        })
      XCTAssertEqual(try value.value(as: String.self), "elsewhere", name)
      let reason = enter(Hostile { _, reject in DispatchQueue.global().async { reject(failure) } })
      XCTAssertTrue(try reason.reason() as? Failure === failure, name)
      let contested = enter(
        Hostile { resolve, _ in
          DispatchQueue.concurrentPerform(iterations: 4) { number in resolve(number) }
        })
      let first = try contested.value(as: Int.self)
      XCTAssertTrue((0..<4).contains(first), name)
    }
  }

  // Spec: H10.4, L2.7
  func testOneThatNeverCallsIsWaitedForUntilItCannot() throws {
    for (name, enter) in Self.entries {
      let kept = Log<Function>()
      let asked = Event()
      let functions = Hold(Log<Function>())
      let promise = enter(
        Hostile { resolve, reject in
          functions.with { held in
            held.append(resolve)
            held.append(reject)
          }
          asked.signal()
        })
      asked.wait(name)
      XCTAssertTrue(promise.isPending, name)
      functions.drop()
      guard case PromiseError.broken = try promise.reason() else { return XCTFail("\(name): \(promise)") }

      let cancelled = enter(
        Hostile { resolve, _ in
          kept.append(resolve)
          asked.signal()
        })
      asked.wait(name)
      cancelled.cancel()
      XCTAssertTrue(cancelled.isCancelled, name)
      kept.all[0]("late")
      XCTAssertTrue(cancelled.isCancelled, name)
    }
  }
}

#if compiler(>=6.2)
  /// A conformance that only the main actor can use.
  @MainActor
  private final class IsolatedThenable: @MainActor Thenable {
    nonisolated init() {}
    var then: ThenMethod? { { resolve, _ in resolve(42) } }
  }
#endif
