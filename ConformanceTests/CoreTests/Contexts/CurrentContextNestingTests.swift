// Tests of `.current` (X5) in nested jobs, in tasks that handlers start, and after jobs have ended.

import DynamicPromise
import XCTest

final class CurrentContextNestingTests: XCTestCase {
  /// Registers a handler on `.current`. Returns the index of the context that receives the handler's job.
  private static func place(among contexts: [SteppedContext]) -> Int? {
    let before = contexts.map(\.pendingJobs)
    Promise.resolved(1).thenOn(.current) { _ in }
    return contexts.indices.first { contexts[$0].pendingJobs > before[$0] }
  }

  // Spec: X5.7, X5.1
  func testAJobInsideOfAnotherHasItsOwn() throws {
    let contexts = [SteppedContext(), SteppedContext()]
    let places = Log<Int?>()
    Promise.resolved(0).thenOn(contexts[0]) { _ in
      places.append(Self.place(among: contexts))
      Promise.resolved(1).thenOn(contexts[1]) { _ in places.append(Self.place(among: contexts)) }
      contexts[1].step()
      places.append(Self.place(among: contexts))
    }
    contexts[0].step()
    places.append(Self.place(among: contexts))
    XCTAssertEqual(places.all, [0, 1, 0, nil])
  }

  // Spec: X5.7, X5.2
  func testHandlersThatThrowAndJobsThatDoNothingLeaveNothingBehind() throws {
    let contexts = [SteppedContext()]
    let failing = Promise.resolved(0).thenOn(contexts[0]) { _ in throw Failure("thrown") }
    let cancelled = Promise.resolved(0).thenOn(contexts[0]) { _ in XCTFail("ran") }
    cancelled.cancel()
    contexts[0].drain()
    XCTAssertTrue(failing.isRejected)
    XCTAssertNil(Self.place(among: contexts))
  }

  // Spec: X5.7
  func testTheClosureOfACancelledFinallyHasItsOwn() {
    let contexts = [SteppedContext()]
    let places = Log<Int?>()
    let child = Promise().finallyOn(contexts[0]) { places.append(Self.place(among: contexts)) }
    child.cancel()
    contexts[0].step()
    places.append(Self.place(among: contexts))
    XCTAssertEqual(places.all, [0, nil])
  }

  // Spec: X5.2
  func testATaskThatAHandlerStartsIsOutside() throws {
    let contexts = [SteppedContext()]
    let places = Log<Int?>()
    let started = Promise.resolved(0).thenOn(contexts[0]) { _ -> Promise in
      Promise { () async -> Void in
        places.append(Self.place(among: contexts))
        await Task.yield()
        places.append(Self.place(among: contexts))
      }
    }
    let asynchronous = Promise.resolved(0).thenOn(contexts[0]) { (_: Int) async -> Void in
      places.append(Self.place(among: contexts))
    }
    contexts[0].drain()
    _ = try started.outcome().get()
    _ = try asynchronous.outcome().get()
    XCTAssertEqual(places.all, [nil, nil, nil])
  }

  // Spec: X5.2
  func testWhatOneThreadRunsIsNothingToAnother() throws {
    let contexts = [SteppedContext()]
    for _ in 0..<50 {
      let places = Log<Int?>()
      let chain = Promise.resolved(0).thenOn(contexts[0]) { _ in
        onSmallStack { places.append(Self.place(among: contexts)) }
        places.append(Self.place(among: contexts))
      }
      // This thread ends right after a job, so the next thread may reuse its memory.
      onSmallStack { contexts[0].drain() }
      onSmallStack { places.append(Self.place(among: contexts)) }
      _ = try chain.outcome().get()
      XCTAssertEqual(places.all, [nil, 0, nil])
    }
  }
}
