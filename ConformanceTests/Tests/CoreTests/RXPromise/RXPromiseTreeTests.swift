// The statements of RXPromise's documents about cancelling a tree. Each promise is cancelled at each stage,
// and also while one promise follows a task.

import DynamicPromise
import XCTest

final class RXPromiseTreeTests: XCTestCase {
  /// root -> a -> (b -> (c, d), e). After stage n, the root and n - 1 other promises have settled.
  private final class Tree {
    static let names = ["root", "a", "b", "c", "d", "e"]
    static let below = [
      "root": ["root", "a", "b", "c", "d", "e"], "a": ["a", "b", "c", "d", "e"], "b": ["b", "c", "d"],
      "c": ["c"], "d": ["d"], "e": ["e"],
    ]
    let context = SteppedContext()
    let promises: [String: Promise]
    /// The promise that the handler of `b` returns, if `following` is true.
    let task: Promise?
    let heard = Log<String>()

    init(following: Bool) {
      let heard = heard
      let task = following ? Promise(onCancel: { heard.append("\($0)") }) : nil
      let root = Promise(on: context)
      let a = root.then { $0 }
      let b = a.then { value -> Any in task ?? value }
      promises = [
        "root": root, "a": a, "b": b, "c": b.then { $0 }, "d": b.then { $0 }, "e": a.then { $0 },
      ]
      self.task = task
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
  func testAtEveryPromiseAndStage() throws {
    for stage in 0...6 {
      for name in Tree.names {
        let tree = Tree(following: false)
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

  // Spec: R4.6
  func testAtEveryPromiseWhileOneFollowsATask() throws {
    for name in Tree.names {
      let tree = Tree(following: true)
      tree.advance(to: 1)
      tree.context.drain()
      XCTAssertEqual(tree.pending, ["b", "c", "d"])
      let cancelled = tree.pending.intersection(Tree.below[name] ?? [])
      tree.promise(name).cancel("enough")
      XCTAssertEqual(tree.cancelled, cancelled, name)
      XCTAssertEqual(tree.heard.all, cancelled.contains("b") ? ["cancelled: enough"] : [], name)
      tree.task?.fulfill(2)
      tree.context.drain()
      if !cancelled.contains("b") { XCTAssertEqual(try tree.promise("b").value(), 2, name) }
      XCTAssertEqual(try tree.promise("e").value(), 1, name)
    }
  }

  // Spec: R4.7, C4.7
  func testPromisesBoundInALine() {
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

  // Spec: R4.7
  func testABoundRootWithATreeBelow() {
    for isSettledFirst in [false, true] {
      for isShared in [false, true] {
        let tree = Tree(following: false)
        let (task, elsewhere) = (Promise(), Promise())
        let sibling = task.catch { $0 }
        tree.promise("root").bind(task)
        if isShared { elsewhere.bind(task) }
        if isSettledFirst { task.fulfill(1) }
        tree.promise("root").cancel("enough")
        XCTAssertEqual(tree.cancelled, isSettledFirst ? ["a", "b", "c", "d", "e"] : Set(Tree.names))
        XCTAssertEqual(task.isCancelled, !isSettledFirst && !isShared, "shared: \(isShared)")
        XCTAssertFalse(elsewhere.isCancelled)
        if task.isCancelled { XCTAssertEqual("\(try sibling.reason())", "cancelled: enough") }
      }
    }
  }
}
