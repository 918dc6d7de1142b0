// The chains, trees and loops of RXPromise's documents (R).

import DynamicPromise
import DynamicPromiseTesting
import XCTest

final class RXPromiseTests: XCTestCase {
  /// Tasks that a chain starts one by one, and that a test settles.
  private final class Tasks: Sendable {
    let started = Log<String>()
    let promises = (0..<4).map { _ in Promise() }

    func start(_ number: Int, _ input: Any) -> Promise {
      started.append("\(number): \(input)")
      return promises[number]
    }

    /// A chain of four tasks. Each task receives the result of the previous task.
    func chain(on context: SteppedContext) -> (root: Promise, end: Promise) {
      let root = Promise(on: context)
      let end = root.then { self.start(0, $0) }.then { self.start(1, $0) }.then { self.start(2, $0) }
        .then { self.start(3, $0) }
      return (root, end)
    }
  }

  // Spec: R3.2
  func testAFailureOfAnyTaskArrivesAtTheEnd() throws {
    for failing in 0..<4 {
      let (tasks, context, failure, heard) = (Tasks(), SteppedContext(), Failure(), Log<any Error>())
      let (root, chained) = tasks.chain(on: context)
      let end = chained.then { _ in XCTFail("the chain has no value") }.catch { reason in
        heard.append(reason)
        return "handled"
      }
      root.fulfill("in")
      context.drain()
      for number in 0..<failing {
        tasks.promises[number].fulfill(number)
        context.drain()
      }
      tasks.promises[failing].reject(failure)
      context.drain()
      XCTAssertEqual(tasks.started.count, failing + 1, "no further task starts")
      XCTAssertEqual(heard.all.map { $0 as? Failure }, [failure])
      XCTAssertEqual(try end.value(), "handled")
    }
  }

  // Spec: R3.3
  func testAReturnedErrorIsPassedOn() throws {
    let failure = Failure()
    let log = Log<String>()
    let end = Promise.rejected(failure)
      .catch { reason -> any Error in
        log.append("first")
        return reason
      }
      .then { _ in log.append("never") }
      .catch { reason in
        log.append("second")
        return nil
      }
      .then { value in "\(value)" }
    XCTAssertEqual(try end.value(), "nil", "a handler that returns nil has handled the error")
    XCTAssertEqual(log.all, ["first", "second"])
  }

  // Spec: R2.1, R2.2
  func testParentsAndRoots() {
    let root = Promise()
    let child = root.then { $0 }
    let grandchild = child.catch { _ in }
    let siblings = [root.thenOn(.main) { $0 }, root.thenOnMain { _ in }, root.finally {}]
    XCTAssertNil(root.parent)
    XCTAssertTrue(root.root === root)
    XCTAssertTrue(child.parent === root && grandchild.parent === child)
    XCTAssertTrue(siblings.allSatisfy { $0.parent === root })
    XCTAssertTrue((siblings + [child, grandchild]).allSatisfy { $0.root === root })
    XCTAssertNil(child.follower().parent, "a follower is not a child")
  }

  // Spec: R4.9, L1.5
  func testATaskIsReleasedWithItsLastObserver() {
    let abandoned = Counter()
    let observers = { () -> [Promise] in
      let promise = Promise(onCancel: nil, onAbandon: { abandoned.increment() })
      return (0..<3).map { _ in promise.then { _ in XCTFail("the handler of a cancelled child ran") } }
    }()
    for (number, observer) in observers.enumerated() {
      XCTAssertEqual(abandoned.value, 0, "\(3 - number) observers are left")
      observer.cancel()
    }
    XCTAssertEqual(abandoned.value, 1)
  }

  /// root -> a -> (b -> (c, d), e). After stage n, the root and n - 1 other promises have settled.
  private final class Tree {
    static let names = ["root", "a", "b", "c", "d", "e"]
    static let below = [
      "root": ["root", "a", "b", "c", "d", "e"], "a": ["a", "b", "c", "d", "e"], "b": ["b", "c", "d"],
      "c": ["c"], "d": ["d"], "e": ["e"],
    ]
    let context = SteppedContext()
    let promises: [String: Promise]

    init() {
      let root = Promise(on: context)
      let a = root.then { $0 }
      let b = a.then { $0 }
      promises = [
        "root": root, "a": a, "b": b, "c": b.then { $0 }, "d": b.then { $0 }, "e": a.then { $0 },
      ]
    }

    func promise(_ name: String) -> Promise { promises[name] ?? Promise() }

    /// Fulfills the root and runs `stage - 1` handlers.
    func advance(to stage: Int) {
      guard stage > 0 else { return }
      promise("root").fulfill(1)
      for _ in 1..<stage { context.step() }
    }

    var pending: Set<String> { Set(Self.names.filter { promise($0).isPending }) }
    var cancelled: Set<String> { Set(Self.names.filter { promise($0).isCancelled }) }
  }

  // Spec: R4.2, R4.3, R4.4, R4.5
  func testACancelOfEveryPromiseAtEveryStage() throws {
    for stage in 0...6 {
      for name in Tree.names {
        let tree = Tree()
        tree.advance(to: stage)
        XCTAssertEqual(tree.pending.count, 6 - stage)
        let cancelled = tree.pending.intersection(Tree.below[name] ?? [])
        let label = "\(name) at stage \(stage)"
        tree.promise(name).cancel("enough")
        XCTAssertEqual(tree.cancelled, cancelled, label)
        // A second cancel changes nothing.
        tree.promise(name).cancel("again")
        XCTAssertEqual(tree.cancelled, cancelled, label)
        tree.advance(to: 1)
        tree.context.drain()
        for other in Tree.names {
          if cancelled.contains(other) {
            XCTAssertEqual("\(try tree.promise(other).reason())", "cancelled: enough", label)
          } else {
            XCTAssertEqual(try tree.promise(other).value(), 1, "\(other) after \(label)")
          }
        }
      }
    }
  }

  // Spec: R4.7, C4.7
  func testACancelThroughPromisesBoundInALine() {
    for position in 0..<4 {
      for (isBoundBefore, isWanted) in [(false, false), (false, true), (true, false), (true, true)] {
        let line = (0..<4).map { _ in Promise(on: .immediate) }
        let below = line.map { promise -> Promise in
          if isWanted { return promise.then { $0 } }
          return promise.catch { $0 }
        }
        let bind = { for number in 0..<3 { line[number].bind(line[number + 1]) } }
        if isBoundBefore { bind() }
        line[position].cancel("enough")
        if !isBoundBefore { bind() }
        let label = "\(position), bound before: \(isBoundBefore), wanted: \(isWanted)"
        // A promise that is already cancelled withdraws from the promise that it is bound to (C4.8).
        let expected = (0..<4).map { !isWanted || $0 <= position }
        XCTAssertEqual(line.map(\.isCancelled), expected, label)
        XCTAssertEqual(below.map(\.isCancelled), expected, label)
      }
    }
  }
}
