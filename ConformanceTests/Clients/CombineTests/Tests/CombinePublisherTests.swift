import Bridge
import Combine
import DynamicPromise
import XCTest

/// A promise as a publisher, and a publisher's first value as a promise. Everything runs on the test's
/// stack.
final class CombinePublisherTests: XCTestCase {
  private struct Lost: Error {}

  /// Records the events of a subscriber, one word for each event.
  private final class Log {
    private(set) var events: [String] = []
    var subscription: AnyCancellable?

    init(_ publisher: some Publisher<Any, any Error>) {
      subscription = publisher.sink { completion in
        switch completion {
        case .finished: self.events.append("finished")
        case .failure(let error): self.events.append("\(type(of: error))")
        }
      } receiveValue: {
        self.events.append("\($0)")
      }
    }
  }

  private func pending() -> (promise: Promise, resolver: Resolver) { Promise.pending(on: .immediate) }

  // MARK: publisher

  func testEachSubscriberGetsTheValueAndTheEnd() {
    let (promise, resolver) = pending()
    let early = [Log(promise.publisher), Log(promise.publisher)]
    XCTAssertEqual(early.map(\.events), [[], []])
    resolver.fulfill(7)
    let late = Log(promise.publisher)
    XCTAssertEqual((early + [late]).map(\.events), Array(repeating: ["7", "finished"], count: 3))
  }

  func testARejectionIsAFailure() {
    let (promise, resolver) = pending()
    let early = Log(promise.publisher)
    resolver.reject(Lost())
    XCTAssertEqual(early.events, ["Lost"])
    XCTAssertEqual(Log(promise.publisher).events, ["Lost"])
  }

  func testACancelledPromiseIsAFailure() {
    let (promise, resolver) = pending()
    let log = Log(promise.publisher)
    promise.cancel()
    XCTAssertEqual(log.events, ["CancellationError"])
    withExtendedLifetime(resolver) {}
  }

  func testASubscriberThatCancelsHearsNoMoreAndThePromiseContinues() {
    let (promise, resolver) = pending()
    let leaving = Log(promise.publisher)
    let staying = Log(promise.publisher)
    leaving.subscription = nil
    XCTAssertTrue(promise.isPending)
    resolver.fulfill("x")
    XCTAssertEqual(leaving.events, [])
    XCTAssertEqual(staying.events, ["x", "finished"])
  }

  // MARK: firstPromise

  func testTheFirstValueFulfills() throws {
    let subject = PassthroughSubject<Int, any Error>()
    let promise = subject.firstPromise(on: .immediate)
    XCTAssertTrue(promise.isPending)
    subject.send(1)
    subject.send(2)
    XCTAssertEqual(try promise.get(timeout: 10) as? Int, 1)
    XCTAssertEqual(try Just("now").firstPromise(on: .immediate).get(timeout: 10) as? String, "now")
  }

  func testAFailureRejects() {
    XCTAssertThrowsError(try Fail<Int, Lost>(error: Lost()).firstPromise(on: .immediate).get(timeout: 10)) {
      XCTAssertTrue($0 is Lost)
    }
  }

  func testAnEndWithoutAValueIsBroken() {
    XCTAssertThrowsError(try Empty<Int, Never>().firstPromise(on: .immediate).get(timeout: 10)) {
      guard case PromiseError.broken = $0 else { return XCTFail("\($0)") }
    }
  }

  func testCancellingOrReleasingThePromiseCancelsTheSubscription() {
    for end: (inout Promise?) -> Void in [{ $0?.cancel() }, { $0 = nil }] {
      let subject = PassthroughSubject<Int, any Error>()
      nonisolated(unsafe) var cancels = 0
      var promise: Promise? = subject.handleEvents(receiveCancel: { cancels += 1 }).firstPromise(
        on: .immediate)
      XCTAssertEqual(promise?.isPending, true)
      XCTAssertEqual(cancels, 0)
      end(&promise)
      XCTAssertEqual(cancels, 1)
    }
  }

  func testNothingIsLeftWhenAllHaveReleasedIt() {
    weak var left: AnyObject?
    do {
      let token = NSObject()
      left = token
      let promise = Just(token).firstPromise(on: .immediate)
      XCTAssertTrue(promise.isFulfilled)
    }
    XCTAssertNil(left, "the subscription has released the value")
  }
}
