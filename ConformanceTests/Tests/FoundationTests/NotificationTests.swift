import DynamicPromise
import DynamicPromiseFoundation
import Foundation
import TestSupport
import XCTest

/// A promise for the next notification.
final class NotificationTests: XCTestCase {
  private let news = Notification.Name("news")

  func testTheNextOne() throws {
    let center = NotificationCenter()
    center.post(name: news, object: nil, userInfo: ["number": 0])
    let promise = center.notificationPromise(for: news)
    center.post(name: Notification.Name("other"), object: nil)
    XCTAssertTrue(promise.isPending)
    for number in 1...2 { center.post(name: news, object: nil, userInfo: ["number": number]) }
    XCTAssertEqual(try value(of: promise, as: Notification.self).userInfo?["number"] as? Int, 1)
  }

  func testOfOneObjectAndAsWanted() throws {
    let center = NotificationCenter()
    let (mine, other) = (NSObject(), NSObject())
    let of = center.notificationPromise(for: news, object: mine)
    let wanted = center.notificationPromise(for: news) { $0.userInfo?["number"] as? Int ?? 0 > 1 }
    center.post(name: news, object: other, userInfo: ["number": 1])
    XCTAssertTrue(of.isPending && wanted.isPending)
    center.post(name: news, object: mine, userInfo: ["number": 2])
    for promise in [of, wanted] {
      XCTAssertEqual(try value(of: promise, as: Notification.self).userInfo?["number"] as? Int, 2)
    }
  }

  func testTheObserverIsRemoved() throws {
    let center = NotificationCenter()
    for end in ["fulfilled", "cancelled", "released"] {
      let isGone = Event()
      var promise: Promise?
      autoreleasepool {
        let canary = Canary { isGone.signal() }
        promise = center.notificationPromise(for: news) { _ in withExtendedLifetime(canary) { true } }
      }
      switch end {
      case "fulfilled": center.post(name: news, object: nil)
      case "cancelled": promise?.cancel()
      default: promise = nil
      }
      isGone.wait("the observer's end: \(end)")
    }
  }

  func testAFreedNotificationCenterBreaksThePromise() {
    var center: NotificationCenter? = NotificationCenter()
    let promise = center!.notificationPromise(for: news)
    XCTAssertTrue(promise.isPending)
    center = nil
    promise.assertBroken()
  }

  func testManyThreadsPost() throws {
    for _ in 0..<50 {
      let (center, news) = (NotificationCenter(), self.news)
      let promise = center.notificationPromise(for: news)
      DispatchQueue.concurrentPerform(iterations: 4) { _ in center.post(name: news, object: nil) }
      XCTAssertTrue(promise.isFulfilled)
    }
  }

  #if !canImport(ObjectiveC)
    private func autoreleasepool(_ body: () -> Void) { body() }
  #endif
}
