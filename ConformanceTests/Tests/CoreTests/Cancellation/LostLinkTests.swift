// A link connects an adopter to its target. No outcome or cancel is lost if both ends are freed or
// cancelled at the same time.
//
// With several threads, this coincidence depends on chance. In these tests, a `deinit` or a diagnosis
// listener causes the coincidence on one thread.

import DynamicPromise
import XCTest

final class LostLinkTests: XCTestCase {
  /// An error that calls a closure in its `deinit`.
  private final class LastWords: Error, @unchecked Sendable {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
  }

  /// Calls `body` while a promise is being freed. Weak references to the promise are already `nil`, but the
  /// tree still contains the promise.
  private final class Undertaker: PromiseListener, @unchecked Sendable {
    var promise: ObjectIdentifier?
    var body: (() -> Void)?
    /// Called when a promise starts to follow another promise, but does not observe that promise yet.
    var whenFollowing: (() -> Void)?

    func made(_ promise: ObjectIdentifier, parent: ObjectIdentifier?, context: String) {}
    func placed(_ promise: ObjectIdentifier, _ origin: Promise.Origin) {}
    func follows(_ promise: ObjectIdentifier, _ other: ObjectIdentifier) {
      let body = whenFollowing
      whenFollowing = nil
      body?()
    }
    func settled(_ promise: ObjectIdentifier, _ how: PromiseEnd, thread: UInt) {}
    func gone(_ promise: ObjectIdentifier, isUnhandled: Bool) {
      guard promise == self.promise else { return }
      self.promise = nil
      body?()
      body = nil
    }
  }

  private let undertaker = Undertaker()

  override func setUp() { Diagnosis.install(undertaker) }
  override func tearDown() { Diagnosis.remove() }

  private func promise() -> Promise { Promise(on: .immediate) }

  /// Releases the promises of `holder`, and calls `body` while the first promise is being freed.
  private func letGo(_ holder: Held, _ body: @escaping () -> Void) {
    undertaker.promise = ObjectIdentifier(holder.promises[0])
    undertaker.body = body
    holder.promises = []
    XCTAssertNil(undertaker.body, "the first promise is freed")
  }

  /// The adopter is marked as unwanted with a reason whose `deinit` frees the target. A cancel with another
  /// reason releases the first reason.
  // Spec: C4.6, C4.15, C6.2
  func testATargetIsFreedBeforeItsCancelledFollowerHasWithdrawn() {
    let end = promise()
    let holder = Held([end.follower()])
    let adopter = holder.promises[0].follower()
    let consumer = adopter.then { $0 }
    let log = Log<String>()
    do {
      // The `deinit` of a displaced reason may use promises, because such a reason is released without a
      // lock.
      let reason = LastWords {
        log.append("\(adopter.isCancelled)")
        holder.promises = []
      }
      adopter.follower().cancel(reason)
    }
    XCTAssertTrue(adopter.isPending)
    adopter.cancel(Failure())
    XCTAssertEqual(log.all, ["true"])
    XCTAssertTrue(consumer.isCancelled)
    XCTAssertTrue(end.isCancelled, "the withdrawal cancels the promise that the target followed")
  }

  // Spec: C4.6, C4.15
  func testAFollowerIsCancelledWhileItsTargetIsFreed() {
    let end = promise()
    let holder = Held([end.follower()])
    let adopter = holder.promises[0].follower()
    letGo(holder) { adopter.cancel() }
    XCTAssertTrue(end.isCancelled)
  }

  // Spec: C4.15, C4.16
  func testTheMarkIsPassedOnWhenTheMarkedPromiseIsFreed() {
    let end = promise()
    let middle = Held([end.follower()])
    let second = Held([middle.promises[0].follower()])
    middle.promises[0].follower().cancel()
    XCTAssertTrue(end.isPending)
    middle.promises = []
    XCTAssertTrue(end.isPending, "one follower is left")
    second.promises = []
    XCTAssertTrue(end.isCancelled)
  }

  // Spec: L3.2, C4.6
  func testBothEndsOfALinkGo() {
    for isCancelled in [false, true] {
      let end = promise()
      let target = Held([end.follower()])
      let adopter = Held([target.promises[0].follower()])
      let last = adopter.promises[0].follower()
      letGo(target) { adopter.promises = [] }
      if isCancelled { last.cancel() } else { end.fulfill(1) }
      XCTAssertEqual(last.isFulfilled, !isCancelled)
      XCTAssertEqual(end.isCancelled, isCancelled)
    }
  }

  // Spec: L3.2, C4.15
  func testBothEndsOfALinkGoAndTheMarkWithThem() {
    let end = promise()
    let target = Held([end.follower()])
    let adopter = Held([target.promises[0].follower()])
    let last = Held([adopter.promises[0].follower()])
    adopter.promises[0].follower().cancel()
    letGo(target) { adopter.promises = [] }
    XCTAssertTrue(end.isPending)
    last.promises = []
    XCTAssertTrue(end.isCancelled)
  }

  // Spec: L3.2
  func testATargetSettlesAndIsFreedWhileItsFollowerIsFreed() {
    let end = Held([promise()])
    let adopter = Held([end.promises[0].follower()])
    let last = adopter.promises[0].follower()
    letGo(adopter) {
      end.promises[0].fulfill(1)
      end.promises = []
    }
    XCTAssertTrue(last.isFulfilled)
  }

  // Spec: C4.8, C4.15
  func testAdopterIsCancelledBeforeItIsEntered() {
    let (end, adopter) = (promise(), promise())
    let consumer = end.then { $0 }
    undertaker.whenFollowing = { adopter.cancel() }
    adopter.bind(end)
    XCTAssertTrue(adopter.isCancelled && end.isPending)
    consumer.cancel()
    XCTAssertTrue(end.isCancelled, "a cancelled adopter is no consumer")
  }
}
