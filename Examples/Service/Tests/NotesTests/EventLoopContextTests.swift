import DynamicPromise
import NIOCore
import NIOEmbedded
import NIOPosix
import XCTest

@testable import notes

/// Tests of an event loop as an execution context.
final class EventLoopContextTests: XCTestCase {
  func testHandlersRunOnTheLoopInOrder() throws {
    let loop = NIOAsyncTestingEventLoop()
    let promise = Promise.resolved(1, on: .eventLoop(loop))
    let end = promise.then { (n: Int) in (n + 1, loop.inEventLoop) }.then { (n: Int, here: Bool) in
      here && loop.inEventLoop ? n : 0
    }
    XCTAssertTrue(end.isPending)
    let ran = expectation(description: "ran")
    end.finally { ran.fulfill() }
    Task { await loop.run() }
    wait(for: [ran], timeout: 20)
    XCTAssertEqual(end.result.flatMap { try? $0.get() } as? Int, 2)
  }

  func testTimersAreTheLoops() async throws {
    let loop = NIOAsyncTestingEventLoop()
    let late = Promise.delay(3600, "late", on: .eventLoop(loop))
    let never = Promise.delay(3600, "never", on: .eventLoop(loop))
    never.cancel()
    let deadline = Deadline.after(3600, on: .eventLoop(loop))
    await loop.advanceTime(by: .seconds(3599))
    XCTAssertTrue(late.isPending)
    XCTAssertEqual(deadline.remaining, 1, accuracy: 1e-6)
    await loop.advanceTime(by: .seconds(1))
    XCTAssertTrue(late.isFulfilled)
  }

  func testAWaitOnTheLoopFails() throws {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let text = Promise.task(on: .eventLoop(loop)) { () -> String in
      do {
        _ = try Promise.resolved(0).thenOn(.eventLoop(loop)) { _ in 1 }.get()
        return "waited"
      } catch PromiseError.wouldDeadlock { return "would deadlock" }
    }
    XCTAssertEqual(try text.get() as? String, "would deadlock")
  }

  func testFuturesBecomePromises() async throws {
    struct Wrong: Error {}
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let (right, wrong) = (loop.makeSucceededFuture(7), loop.makeFailedFuture(Wrong()) as EventLoopFuture<Int>)
    let place = right.promise().then { _ in loop.inEventLoop }
    let isThere = try await place.value(as: Bool.self)
    XCTAssertTrue(isThere)
    do {
      _ = try await wrong.promise().value
      XCTFail("fulfilled")
    } catch { XCTAssertTrue(error is Wrong) }
  }
}
