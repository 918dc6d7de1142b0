// Handlers run on a stack without user code, each once (A1).

import DynamicPromise
import XCTest

final class HandlerStackTests: XCTestCase {
  private static let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)

  /// The contexts that conform to Promises/A+, each with a function that makes a promise.
  private static let contexts: [(name: String, make: @Sendable () -> Promise)] = [
    ("default", { Promise() }),
    ("barrier", { Promise(on: concurrent) }),
  ]

  /// Records the stack on which each handler runs.
  private final class Visits: Sendable {
    private let count: Int
    private let places = Log<String>()
    private let left = DispatchGroup()

    init(_ count: Int) {
      self.count = count
      for _ in 0..<count { left.enter() }
    }

    func note(_ what: String) {
      places.append("\(what): \(Stack.marker)")
      left.leave()
    }

    func assertClean(_ name: String) {
      XCTAssertEqual(left.wait(timeout: .now() + patience), .success, name)
      XCTAssertEqual(places.count, count, name)
      for place in places.all { XCTAssertTrue(place.hasSuffix(": nothing"), "\(name): \(place)") }
    }
  }

  // Spec: A1.2
  func testAHandlerNeverRunsInsideAnotherHandler() {
    for (name, make) in Self.contexts {
      let visits = Visits(9)
      @Sendable func expectClean<T>(_ what: String, _ body: () throws -> T) rethrows -> T {
        visits.note(what)
        return try Stack.mark(what, body)
      }
      let (outer, early, late, settled, adopter) = (make(), make(), make(), make(), make())
      settled.fulfill(0)
      adopter.bind(late)
      early.then { _ in expectClean("settled inside") {} }
      early.catch { _ in }.then { _ in expectClean("passed on inside") {} }
      let child = outer.then { _ in
        expectClean("outer") {
          settled.then { _ in expectClean("registered inside") {} }
          outer.then { _ in expectClean("registered on the own parent") {} }
          early.fulfill(1)
          late.reject("no")
        }
      }
      adopter.catch { _ in expectClean("rejected inside") {} }
      child.then { _ in try expectClean("next step") { throw Failure() } }
        .catch { _ in expectClean("after a throw") { settled } }
        .then { _ in expectClean("after an adoption") {} }
      outer.fulfill(0)
      visits.assertClean(name)
    }
  }

  // Spec: A1.3, A1.1
  func testAHandlerNeverRunsOnTheStackThatCancelsOrReleases() throws {
    for (name, make) in Self.contexts {
      let visits = Visits(5)
      func expect(_ promise: Promise, _ what: String) {
        promise.then({ _ in visits.note(what) }, { _ in visits.note(what) })
      }
      let (cancelled, followed, source) = (make(), make(), make())
      expect(cancelled, "handler of the cancelled promise")
      // The follower's withdrawal cancels `followed`, because a `catch` is not a consumer.
      followed.catch { _ in visits.note("handler of the withdrawn promise") }
      let (follower, other) = (followed.follower(on: .immediate), make())
      other.bind(source)
      expect(other, "follower")
      Stack.mark("cancel") {
        cancelled.cancel()
        follower.cancel("stop")
        expect(cancelled, "registered on a promise cancelled by request")
      }
      Stack.mark("settle") { source.fulfill(1) }
      func releaseResolver() {
        var (promise, resolver): (Promise, Resolver?) = Promise.pending()
        expect(promise, "broken")
        promise = make()
        Stack.mark("release") {
          if let held = resolver { withExtendedLifetime(held) {} }
          resolver = nil
        }
      }
      releaseResolver()
      visits.assertClean(name)
    }
  }

  // Spec: A1.4
  func testEachHandlerIsScheduledOnce() {
    let (context, runs) = (SteppedContext(), Log<String>())
    let promise = Promise(on: context)
    let follower = promise.follower(on: context)
    for each in [promise, follower] {
      each.then({ _ in runs.append("both") }, { _ in runs.append("reason") })
      each.catch { _ in runs.append("catch") }
    }
    XCTAssertEqual(context.pendingJobs, 0)
    promise.fulfill(0)
    promise.reject("again")
    XCTAssertEqual(context.pendingJobs, 2, "a handler for the other outcome is not scheduled")
    follower.then { _ in runs.append("late") }
    context.drain()
    promise.cancel()
    XCTAssertEqual(context.pendingJobs, 0)
    XCTAssertEqual(runs.all, ["both", "both", "late"])
  }
}
