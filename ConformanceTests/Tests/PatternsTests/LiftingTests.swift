import DynamicPromise
import DynamicPromisePatterns
import DynamicPromiseTesting
import Foundation
import TestSupport
import XCTest

private func half(_ number: Int) throws -> Int {
  guard number % 2 == 0 else { throw NumberedError(number) }
  return number / 2
}

private func halfLater(_ number: Int) async throws -> Int {
  await Task.yield()
  return try half(number)
}

@MainActor private final class Screen {
  var text = ""

  func show(_ text: String) -> String {
    self.text = text
    return "shown"
  }

  func fade(_ text: String) async -> String {
    await Task.yield()
    return show(text)
  }
}

/// A class that is not Sendable.
private final class Draft {
  var text = "draft"
}

final class LiftingTests: XCTestCase {
  func testOnAQueue() throws {
    let context = TestContext()
    let lifted = onQueue(context)(half)
    let (two, failed) = (lifted(4), lifted(3))
    XCTAssertTrue(two.isPending && failed.isPending)
    context.drain()
    XCTAssertEqual(try two.result?.get() as? Int, 2)
    XCTAssertEqual(try reason(of: failed), NumberedError(3))
    let queue = DispatchQueue(label: "lifted")
    let label = onQueue(queue)({ dispatchPrecondition(condition: .onQueue(queue)) })
    XCTAssertTrue(try value(of: label(), as: Any.self) is Void)
    let text = onQueue(queue)({ (draft: Draft) in draft.text })
    XCTAssertEqual(try value(of: text(Draft())), "draft")
  }

  func testInTheBackground() throws {
    let former = Promise.defaultContext
    defer { Promise.defaultContext = former }
    Promise.defaultContext = .immediate
    let onMain = onBackgroundQueue { Thread.isMainThread }
    XCTAssertEqual(try value(of: onMain()), false)
    XCTAssertEqual(try value(of: onBackgroundQueue(half)(8)), 4)
  }

  func testOnTheMainQueue() throws { try onMainActor(self) { try $0.onTheMainQueue() } }

  @MainActor private func onTheMainQueue() throws {
    let screen = Screen()
    let show = onMainQueue(screen.show)
    let shown = show("hello")
    XCTAssertEqual(screen.text, "", "the function never runs on this stack")
    XCTAssertEqual(try value(of: shown), "shown")
    XCTAssertEqual(screen.text, "hello")
    let clear = onMainQueue { screen.text = "" }
    XCTAssertTrue(try value(of: clear(), as: Any.self) is Void)
    XCTAssertEqual(screen.text, "")
    XCTAssertEqual(try reason(of: onMainQueue(half)(3)), NumberedError(3))
  }

  func testWhatTheFunctionReturns() throws {
    let lift = onQueue(.immediate)
    XCTAssertEqual(try lift({ (x: Int) in Promise.resolved(x) })(1).result?.get() as? Int, 1)
    XCTAssertEqual(try lift({ (_: Int) in Later() })(1).result?.get() as? String, "thenable")
    XCTAssertNil(try value(of: lift({ (_: Int) in Int?.none })(1), as: Int?.self))
    XCTAssertEqual(try reason(of: lift({ (x: Int) in NumberedError(x) })(7)), NumberedError(7))
    // An argument is passed unchanged, even if it is a promise or an error.
    XCTAssertEqual(try lift({ (x: Promise) in x.isPending })(Promise()).result?.get() as? Bool, true)
    XCTAssertEqual(try lift({ (x: NumberedError) in x.number })(NumberedError(3)).result?.get() as? Int, 3)
  }

  func testCancelling() {
    let (context, source) = (TestContext(), Source())
    let lifted = onQueue(context)({ (_: Int) in source.next() })
    let (waiting, running) = (lifted(1), lifted(2))
    waiting.cancel()
    context.drain()
    XCTAssertEqual(source.count, 1, "the first call was cancelled before it ran")
    running.cancel()
    XCTAssertTrue(source.all[0].isCancelled)
    let told = lifted(3)
    context.drain()
    source.all[1].cancel()
    XCTAssertTrue(told.isCancelled)
    let dropped = lifted(4)
    context.dropAll()
    guard case .failure(PromiseError.broken)? = dropped.result else { return XCTFail("\(dropped)") }
  }

  func testTogether() throws {
    let context = TestContext()
    let work = onQueue(context)(half) >>> onBackgroundQueue(half) >>> { "\($0)" }
    let result = 12 |> work
    XCTAssertTrue(context.waitForJob(timeout: 20))
    context.drain()
    XCTAssertEqual(try value(of: result), "3")
    let after = onQueue(context)(half)(2).then { _ in Thread.isMainThread }
    context.drain()
    XCTAssertEqual(try value(of: after), false, "handlers run on the default context")
  }

  func testCallsAndCancelsOnSeveralThreads() {
    for _ in 0..<raceRounds(1000) {
      let calls = Recorded(0)
      let work = onBackgroundQueue { (_: Int) in calls.increment() } >>> { _ in calls.increment() }
      let (one, two) = (Recorded<Promise?>(nil), Recorded<Promise?>(nil))
      together(
        { one.change { $0 = work(1) } },
        { two.change { $0 = work(2) } },
        { for _ in 0..<20 { one.value?.cancel() } })
      XCTAssertNoThrow(try outcome(of: two.value!))
      XCTAssertNoThrow(try outcome(of: one.value!))
      XCTAssertTrue((2...4).contains(calls.value) && two.value!.isFulfilled)
    }
  }

  func testAsynchronousFunctions() throws { try onMainActor(self) { try $0.asynchronousFunctions() } }

  @MainActor private func asynchronousFunctions() throws {
    let context = TestContext()
    let lifted = onQueue(context)(halfLater)
    let (two, failed) = (lifted(4), lifted(3))
    XCTAssertEqual(context.pendingJobs, 2)
    context.drain()
    XCTAssertEqual(try value(of: two), 2)
    XCTAssertEqual(try reason(of: failed), NumberedError(3))
    XCTAssertEqual(try value(of: (onBackgroundQueue(halfLater) >>> halfLater)(8)), 2)
    let nothing = onBackgroundQueue { await Task.yield() }
    XCTAssertTrue(try value(of: nothing(), as: Any.self) is Void)
    let screen = Screen()
    XCTAssertEqual(try value(of: onMainQueue(screen.fade)("hello")), "shown")
    XCTAssertEqual(screen.text, "hello")
    let clear = onMainQueue {
      await Task.yield()
      screen.text = ""
    }
    XCTAssertTrue(try value(of: clear(), as: Any.self) is Void)
    XCTAssertEqual(screen.text, "")
  }

  func testCancellingAnAsynchronousFunction() {
    let (context, source) = (TestContext(), Source())
    let lifted = onQueue(context)({ (_: Int) async throws in
      try await source.next().cancellingValue(as: Int.self)
    })
    let (waiting, running) = (lifted(1), lifted(2))
    waiting.cancel()
    context.drain()
    eventually("running") { source.count == 1 }
    running.cancel()
    eventually("cancelled") { source.all[0].isCancelled }
    XCTAssertEqual(source.count, 1, "the other call was cancelled before it ran")
  }
}
