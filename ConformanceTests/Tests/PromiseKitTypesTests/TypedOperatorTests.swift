import PromiseKitTypes
import TestSupport
import XCTest

import enum DynamicPromise.PromiseError

final class TypedOperatorTests: XCTestCase {
  private let home = MarkedQueue()
  private var queue: DispatchQueue { home.queue }

  func testATypedWrapperOfAnUntypedPromise() throws {
    let promise = Promise.value(3)
    XCTAssertTrue(Promise(promise).untyped === promise.untyped)
    XCTAssertEqual(try value(of: Promise<Int>(promise.untyped)), 3)
    let wrong = Promise<String>(promise.untyped)
    let mismatch = try reason(of: wrong, as: PromiseError.self)
    guard case .typeMismatch(let expected, let found, _, _) = mismatch else {
      return XCTFail("\(mismatch)")
    }
    XCTAssertTrue(expected == String.self && found == Int.self)
    XCTAssertTrue(wrong.isRejected && wrong.error is PromiseError)
  }

  func testAValueOfAnotherTypeInATypedWrapper() throws {
    let (promise, seal) = Promise<Int>.pending()
    seal.untyped.fulfill("three")
    XCTAssertNil(promise.value)
    guard case .typeMismatch = try reason(of: promise.map { $0 + 1 }, as: PromiseError.self) else {
      return XCTFail("no mismatch")
    }
  }

  func testMaking() throws {
    XCTAssertEqual(Promise.value(3).value, 3)
    XCTAssertEqual(Promise<Int>(error: NumberedError(1)).error as? NumberedError, NumberedError(1))
    XCTAssertTrue(Promise().isFulfilled && Promise<Void>().isResolved && Guarantee().isFulfilled)
    XCTAssertEqual(Guarantee.value("a").value, "a")
    let failing = Promise<Int> { _ in throw NumberedError(2) }
    XCTAssertEqual(failing.error as? NumberedError, NumberedError(2))
    XCTAssertEqual(Guarantee { resolve in resolve(4) }.value, 4)
    let (pending, seal) = Promise<Int>.pending()
    XCTAssertTrue(pending.isPending && pending.result == nil && pending.value == nil && pending.error == nil)
    seal.fulfill(5)
    seal.reject(NumberedError(3))
    XCTAssertEqual(pending.value, 5)
  }

  func testWaysToSettle() {
    func settled(_ body: (Resolver<Int>) -> Void) -> Promise<Int> { Promise { seal in body(seal) } }
    let (none, error): (Int?, (any Error)?) = (nil, NumberedError(1))
    XCTAssertEqual(settled { $0.resolve(.fulfilled(1)) }.value, 1)
    XCTAssertEqual(settled { $0.resolve(Swift.Result<Int, NumberedError>.success(2)) }.value, 2)
    XCTAssertEqual(settled { $0.resolve(3, nil) }.value, 3)
    XCTAssertEqual(settled { $0.resolve(Int?(4), nil) }.value, 4)
    XCTAssertEqual(settled { $0.resolve(nil, Int?(5)) }.value, 5)
    let rejected = [
      settled { $0.resolve(.rejected(NumberedError(1))) }, settled { $0.resolve(none, error) },
      settled { $0.resolve(.failure(NumberedError(1)) as Swift.Result<Int, NumberedError>) },
      settled { $0.resolve(error, none) }, settled { $0.resolve(6, error) },
    ]
    for promise in rejected { XCTAssertEqual(promise.error as? NumberedError, NumberedError(1)) }
    guard case PMKError.invalidCallingConvention? = settled({ $0.resolve(none, nil) }).error else {
      return XCTFail("neither value nor error")
    }
    XCTAssertTrue(Promise<Void> { $0.resolve(nil) }.isFulfilled)
    XCTAssertTrue(Promise<Void> { $0.resolve(NumberedError(1)) }.isRejected)
    XCTAssertTrue(Promise<Void> { $0.fulfill_() }.isFulfilled)
  }

  func testClosuresRunOnTheMainQueueByDefault() throws {
    var places: [Bool] = []
    let main = Promise.value(1).get { _ in places.append(Thread.isMainThread) }.map { $0 }
    XCTAssertTrue(main.isPending)
    try value(of: main.done { _ in places.append(Thread.isMainThread) })
    XCTAssertEqual(places, [true, true])
    let there = Promise.value(1).map(on: queue) { [home] _ in home.isCurrent }
    XCTAssertEqual(try value(of: there), true)
    let barrier = Promise.value(1).map(on: queue, flags: .barrier) { [home] _ in home.isCurrent }
    XCTAssertEqual(try value(of: barrier), true)
    let here = Promise.value(1).map(on: nil) { $0 + 1 }
    XCTAssertEqual(here.value, 2)
  }

  func testTheQueuesOfTheConfiguration() throws {
    let former = conf.Q
    defer { conf.Q = former }
    conf.Q.map = nil
    XCTAssertEqual(Promise.value(1).map { $0 + 1 }.value, 2)
    conf.Q = (map: queue, return: nil)
    let place = Promise.value(1).map { [home] _ in home.isCurrent }
    XCTAssertEqual(try value(of: place), true)
    var heard = 0
    _ = Promise.value(1).done { heard = $0 }
    XCTAssertEqual(heard, 1)
  }

  // Handlers on a concurrent queue can overlap: here each handler waits for the other.
  func testAConcurrentQueueHasNoBarrier() throws {
    let queue = DispatchQueue(label: "wide", attributes: .concurrent)
    let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let deadline = DispatchTime.now() + 20
    let one = Promise.value(1).map(on: queue) { _ -> Bool in
      first.signal()
      return second.wait(timeout: deadline) == .success
    }
    let other = Promise.value(1).map(on: queue) { _ -> Bool in
      second.signal()
      return first.wait(timeout: deadline) == .success
    }
    XCTAssertEqual(try value(of: one), true)
    XCTAssertEqual(try value(of: other), true)
  }

  func testSteps() throws {
    var seen: [String] = []
    let number = Promise.value(20).then { Promise.value($0 + 1) }.map { $0 * 2 }.get { seen.append("\($0)") }
    let text = number.compactMap { String($0).last }.tap { seen.append("\($0.isFulfilled)") }
    XCTAssertEqual(try value(of: text), "2")
    try value(of: text.done { seen.append(String($0)) })
    try value(of: text.asVoid())
    XCTAssertEqual(seen, ["42", "true", "2"])
    XCTAssertEqual(try value(of: Promise.value("abc").map(\.count)), 3)
    let thrown = Promise.value(1).map { _ -> Int in throw NumberedError(1) }.then { _ in Promise.value(2) }
    XCTAssertEqual(try reason(of: thrown), NumberedError(1))
    let none = Promise.value("x").compactMap { Int($0) }
    guard case .compactMap(let given, let type) = try reason(of: none, as: PMKError.self) else {
      return XCTFail("no `compactMap` error")
    }
    XCTAssertTrue(given as? String == "x" && type == Int.self)
  }

  func testValuesAreTakenAsTheyAre() throws {
    let error = Promise.value(1).map { NumberedError($0) }
    XCTAssertEqual(try value(of: error), NumberedError(1))
    let inner = Promise.value(1)
    XCTAssertTrue(try value(of: Promise.value(0).map { _ in inner }) === inner)
    let nothing: Promise<Int?> = Promise.value(0).map { _ in nil }
    XCTAssertNil(try value(of: nothing.map { $0 }))
    XCTAssertEqual(try value(of: Promise<Int?>.value(3)), 3)
    let other = Promise.value(0).map { $0 as Any }
    XCTAssertEqual(try value(of: other.map { "\($0)" }), "0")
  }

  // A class of a client that has only what PromiseKit's protocol requires.
  private class Own: Thenable {
    private(set) var result: Result<Int>?
    private var bodies: [(Result<Int>) -> Void] = []
    func pipe(to body: @escaping (Result<Int>) -> Void) {
      if let result { body(result) } else { bodies.append(body) }
    }
    func settle(_ outcome: Result<Int>) {
      result = outcome
      for body in bodies { body(outcome) }
    }
  }

  func testAThenableOfAClient() throws {
    let (own, other) = (Own(), Own())
    let both = when(fulfilled: own.map { $0 + 1 }, firstly { Promise.value(0) }.then { _ in own })
    XCTAssertTrue(own.isPending && both.isPending)
    own.settle(.fulfilled(3))
    other.settle(.rejected(NumberedError(1)))
    XCTAssertEqual(try value(of: both.map { $0 * $1 }), 12)
    XCTAssertEqual(own.value, 3)
    XCTAssertEqual(try reason(of: Promise(other)), NumberedError(1))
    XCTAssertTrue(other.isRejected && other.isResolved && own.isFulfilled && !own.isRejected)
  }

  func testReferencesHavePromiseKitsTypes() {
    let make: () -> (promise: Promise<Int>, resolver: Resolver<Int>) = Promise.pending
    let (promise, seal) = make()
    let bodies: [(Resolver<Int>) throws -> Void] = [{ $0.fulfill(1) }, { _ in throw NumberedError(1) }]
    XCTAssertEqual(bodies.map(Promise.init(resolver:)).map(\.isFulfilled), [true, false])
    let sure: () -> (guarantee: Guarantee<Int>, resolve: (Int) -> Void) = Guarantee.pending
    let ready = [{ (resolve: (Int) -> Void) in resolve(2) }].map(Guarantee.init(resolver:))
    let (guarantee, resolve) = sure()
    resolve(3)
    seal.fulfill(4)
    XCTAssertEqual([ready[0].value, guarantee.value, promise.value], [2, 3, 4])
  }

  func testPipeHearsOfEveryOutcome() {
    var heard: [Bool] = []
    Promise.value(1).pipe { heard.append($0.isFulfilled) }
    Promise<Int>(error: NumberedError(1)).pipe { heard.append($0.isFulfilled) }
    XCTAssertEqual(heard, [true, false])
  }

  func testElements() throws {
    let list = Promise.value([3, 1, 2])
    XCTAssertEqual(try value(of: list.mapValues { $0 * 2 }), [6, 2, 4])
    XCTAssertEqual(try value(of: list.flatMapValues { [$0, -$0] }), [3, -3, 1, -1, 2, -2])
    XCTAssertEqual(try value(of: list.compactMapValues { $0 > 1 ? "\($0)" : nil }), ["3", "2"])
    XCTAssertEqual(try value(of: list.filterValues { $0 < 3 }), [1, 2])
    XCTAssertEqual(try value(of: list.thenMap { Promise.value("\($0)") }), ["3", "1", "2"])
    XCTAssertEqual(try value(of: list.thenFlatMap { Guarantee.value([$0, 0]) }), [3, 0, 1, 0, 2, 0])
    XCTAssertEqual(try value(of: list.firstValue), 3)
    XCTAssertEqual(try value(of: list.firstValue { $0 < 3 }), 1)
    XCTAssertEqual(try value(of: list.lastValue), 2)
    XCTAssertEqual(try value(of: list.sortedValues()), [1, 2, 3])
    XCTAssertEqual(try value(of: Promise.value(["a": 1]).mapValues { "\($0.key)\($0.value)" }), ["a1"])
    let failing = list.thenMap { $0 == 1 ? Promise<Int>(error: NumberedError(1)) : .value($0) }
    XCTAssertEqual(try reason(of: failing), NumberedError(1))
    for empty in [list.firstValue { $0 > 3 }, Promise.value([Int]()).firstValue, Promise.value([]).lastValue]
    {
      guard case .emptySequence = try reason(of: empty, as: PMKError.self) else {
        return XCTFail("no `emptySequence` error")
      }
    }
  }

  func testFirstlyAndAsync() throws {
    let promise = Promise.value(1)
    XCTAssertTrue(firstly { promise }.untyped === promise.untyped)
    let failing = firstly { () throws -> Promise<Int> in throw NumberedError(1) }
    XCTAssertEqual(failing.error as? NumberedError, NumberedError(1))
    let sure = firstly { Guarantee.value(2) }.map { $0 + 1 }
    XCTAssertEqual(try value(of: sure), 3)
    let there = queue.async(.promise) { [home] in home.isCurrent }
    XCTAssertEqual(try value(of: there), true)
    let thrown = queue.async(.promise) { () throws -> Int in throw NumberedError(2) }
    XCTAssertEqual(try reason(of: thrown), NumberedError(2))
  }

  @MainActor
  func testWaiting() async throws {
    let number = queue.async(.promise) { 7 }
    let awaited = await number.async()
    XCTAssertEqual(awaited, 7)
    let same = try await Promise(number).async()
    XCTAssertEqual(same, 7)
    do {
      _ = try await Promise<Int>(error: NumberedError(1)).async()
      XCTFail("no error")
    } catch { XCTAssertEqual(error as? NumberedError, NumberedError(1)) }
  }

  func testBlocking() throws { try onMainActor(self) { try $0.blocking() } }

  func testTheFormerConfigurationIsReleasedWithoutALock() {
    final class Reader { deinit { _ = conf.catchPolicy } }
    let former = conf
    defer { conf = former }
    do {
      let reader = Reader()
      conf.logHandler = { _ in withExtendedLifetime(reader) {} }
    }
    conf.logHandler = former.logHandler
  }

  @MainActor private func blocking() throws {
    let number = queue.async(.promise) { () throws -> Int in 7 }
    XCTAssertEqual(try number.wait(), 7)
    XCTAssertEqual(queue.async(.promise) { 8 }.wait(), 8)
    XCTAssertThrowsError(try Promise<Int>(error: NumberedError(1)).wait())
    for flags in [nil, [], DispatchWorkItemFlags.barrier] {
      XCTAssertThrowsError(try number.map(flags: flags) { $0 + 1 }.wait()) { error in
        guard case PromiseError.wouldDeadlock = error else { return XCTFail("\(error)") }
      }
    }
    let numbers = [Promise.value(1), Promise.value(2)].makeIterator()
    XCTAssertThrowsError(try when(fulfilled: numbers, concurrently: 2).wait()) { error in
      guard case PromiseError.wouldDeadlock = error else { return XCTFail("\(error)") }
    }
  }
}
