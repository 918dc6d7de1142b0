// An unretained pending promise follows another promise and has followers itself (L3.8). The promise is kept
// only as long as a cancel of one of its ancestors must also cancel those followers.

import DynamicPromise
import XCTest

final class FollowerLifetimeTests: XCTestCase {
  private let (target, resolver) = Promise.pending()

  /// Makes an unretained step below `root`, and a follower of the step.
  private func follower(of root: Promise) -> (follower: Promise, step: WeakReference<Promise>) {
    let step = root.thenOn(.immediate) { [target] _ in target }
    return (step.follower(), WeakReference(step))
  }

  // Spec: C3.4
  func testACancelOfAnAncestorReachesAFollower() {
    let root = Promise.resolved(1)
    let (follower, step) = follower(of: root)
    XCTAssertNotNil(step.object, "a cancel of the root finds the follower through the step")
    root.cancel()
    XCTAssertTrue(follower.isCancelled)
    XCTAssertTrue(resolver.isCancelled, "the target has no other consumer")
    resolver.fulfill(0)
    XCTAssertNil(step.object)
  }

  // Spec: L3.8
  func testItIsFreedWithTheLastAncestor() {
    var root: Promise? = Promise.resolved(1)
    var below = root?.thenOn(.immediate) { $0 }
    let (follower, step) = follower(of: below!)
    root = nil
    XCTAssertNotNil(step.object, "one ancestor is left")
    below = nil
    XCTAssertNil(step.object)
    resolver.fulfill(2)
    XCTAssertEqual(try? follower.value(), 2)
    withExtendedLifetime(root) {}
  }

  /// The target always has a consumer, because the followers follow the target before the step releases it.
  // Spec: L3.8
  func testTheTargetIsWantedAllTheTime() {
    var root: Promise? = Promise.resolved(1)
    let (follower, step) = follower(of: root!)
    target.follower().cancel()
    XCTAssertTrue(target.isPending, "one consumer has withdrawn, another remains")
    root = nil
    XCTAssertNil(step.object)
    XCTAssertTrue(target.isPending)
    resolver.fulfill(2)
    XCTAssertEqual(try? follower.value(), 2)
    withExtendedLifetime(root) {}
  }

  // Spec: L3.8
  func testItIsFreedIfItsFollowersAreBelowTheSameAncestor() {
    let root = Promise.resolved(1)
    let step = WeakReference(root.thenOn(.immediate) { [target] _ in target })
    let between = root.thenOn(.immediate) { $0 }
    let follower = step.object.map { step in between.thenOn(.immediate) { _ in step } }
    XCTAssertNil(step.object)
    root.cancel()
    XCTAssertEqual(follower?.isCancelled, true)
  }

  // Spec: L3.8
  func testASettledPromiseIsFreedByItsFollower() {
    var step: Promise? = Promise.resolved(1).thenOn(.immediate) { $0 }
    let seen = WeakReference(step!)
    let followers = (0..<3).map { _ in step!.follower() }
    step = nil
    XCTAssertNil(seen.object)
    XCTAssertEqual(followers.map { try? $0.value(as: Int.self) }, [1, 1, 1])
  }
}
