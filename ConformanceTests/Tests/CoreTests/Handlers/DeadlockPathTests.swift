// Ways in which a promise needs a handler that cannot run before the waiting thread returns.

import DynamicPromise
import XCTest

final class DeadlockPathTests: XCTestCase {
  // Spec: H2.8
  func testThroughAncestors() {
    assertDeadlock(
      Promise().thenOn(home) { _ in 1 }.then { $0 }.catch { $0 }.finally {}.thenOn(.immediate) { $0 },
      in: home)
    // The check of a long chain does not recurse.
    onSmallStack {
      let end = (0..<20_000).reduce(Promise().thenOn(home) { _ in 1 }) { promise, _ in promise.then { $0 } }
      XCTAssertEqual(home.sync { WaitOutcome { try end.get(timeout: patience) } }, .wouldDeadlock)
    }
  }

  // Spec: H2.8
  func testThroughChildrenWithoutHandlers() {
    let none: (@Sendable (Any) throws -> Int)? = nil
    assertDeadlock(Promise().thenOn(home) { _ in 1 }.then(none).then { $0 }, in: home)
  }

  // Spec: H2.8
  func testThroughRejectionAndFinallyHandlers() {
    assertDeadlock(Promise.rejected(Failure()).catchOn(home) { _ in 1 }, in: home)
    assertDeadlock(Promise().finallyOn(home) {}, in: home)
    assertDeadlock(Promise().cancelled().catchOn(home) { _ in 1 }, in: home)
  }

  // Spec: H2.8
  func testThroughAdoptedPromises() {
    assertDeadlock(Promise.resolved(Promise().thenOn(home) { _ in 1 }), in: home)
    let adopter = Promise()
    adopter.bind(Promise.resolved(Promise.resolved(0).then { _ in Promise().thenOn(home) { _ in 1 } }))
    let child = adopter.then { $0 }
    let outcome = inside(home) { try child.get(timeout: patience) }
    XCTAssertEqual(outcome, .wouldDeadlock)
  }

  // Spec: H2.8
  func testThroughCombinators() {
    @Sendable func needed() -> Promise { Promise().thenOn(home) { _ in 1 } }
    assertDeadlock(Promise.all([Promise.resolved(0), Promise(), needed()]), in: home)
    assertDeadlock(Promise.allSettled([Promise.all([Promise(), needed()]).then { $0 }]), in: home)
    assertDeadlock(Promise.any([Promise.rejected(Failure()), needed()]), in: home)
    assertDeadlock(Promise.race([needed()]), in: home)
    assertDeadlock(Promise.sequence([1, 2], on: home) { $0 }, in: home)
    assertDeadlock(Promise.repeat(on: home) { nil }, in: home)
    assertDeadlock(Promise.sequence([needed()], on: .shared) { $0 }, in: home)
    assertDeadlock(needed().finished(), in: home)
  }

  // Spec: H2.9
  func testWhatIsAdoptedMeanwhile() {
    let (lookout, goesOn) = (Lookout(), Promise())
    let child = goesOn.then { _ in Promise.resolved(0).thenOn(home) { _ in 1 } }.thenOn(lookout) { $0 }
    lookout.whenBlocked { goesOn.fulfill(0) }
    XCTAssertEqual(inside(home) { try child.get(timeout: patience) }, .wouldDeadlock)
    XCTAssertEqual(try child.value(), 1)
  }

  // Spec: H2.9
  func testWhatIsRejectedMeanwhile() {
    let (lookout, root) = (Lookout(), Promise())
    let child = root.catchOn(home) { _ in 1 }.thenOn(lookout) { $0 }
    lookout.whenBlocked { root.reject(Failure()) }
    XCTAssertEqual(inside(home) { child.wait() ? 1 : 0 }, .value(0))
    XCTAssertEqual(try child.value(), 1)
  }

  // Spec: H2.8
  func testThePromiseContinues() {
    let ran = Counter()
    let child = Promise.resolved(0).thenOn(home) { _ in
      ran.increment()
      return 1
    }
    let other = Promise.resolved(0).thenOn(home) { _ -> Int in
      let inner = Promise.resolved(0).thenOn(home) { _ in 2 }
      XCTAssertFalse(inner.wait())
      XCTAssertEqual(WaitOutcome { try inner.get() }, .wouldDeadlock)
      XCTAssertTrue(inner.isPending)
      return 3
    }
    XCTAssertEqual(try child.value(), 1)
    XCTAssertEqual(try other.value(), 3)
    XCTAssertEqual(ran.value, 1)
  }
}

private let home = DispatchQueue(label: "home")
