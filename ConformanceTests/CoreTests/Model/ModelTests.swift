// The model of `RandomProgramTests` on programs whose end follows from reading C4: who checks the checker.

import XCTest

final class ModelTests: XCTestCase {
  /// A tree on a model, by number: roots and children are added in order.
  private struct Tree {
    let model = Model { _ in 0 }

    func root() -> Model.Node { child(nil, .none) }

    func child(_ parent: Model.Node?, _ kind: Model.Kind) -> Model.Node {
      let node = Model.Node(model.all.count, parent, kind)
      node.body = { [runs = model.runs, number = node.number] input in
        runs.append("\(number) \(input)")
        return .value("v\(number)")
      }
      model.add(node)
      model.takeEffect()
      return node
    }

    func follower(of node: Model.Node) -> Model.Node {
      let follower = root()
      model.resolve(follower, .promise(node))
      model.takeEffect()
      return follower
    }

    func cancel(_ node: Model.Node, _ reason: String = "stop") {
      model.propagateCancel(to: node, reason)
      model.takeEffect()
    }

    func fulfill(_ node: Model.Node) {
      model.resolve(node, .value("value"))
      model.takeEffect()
    }
  }

  // Spec: C4.10, C4.11, C4.15
  func testTheWayUp() {
    for isSettled in [false, true] {
      let tree = Tree()
      let root = tree.root()
      let middle = tree.child(root, .value)
      let end = tree.child(middle, .reason)
      if isSettled { tree.fulfill(root) }
      tree.cancel(tree.follower(of: end))
      XCTAssertEqual(root.isCancelledByRequest, !isSettled)
      XCTAssertTrue(middle.isCancelledByRequest)
      XCTAssertTrue(end.isPending)
      tree.model.drain()
      XCTAssertTrue(end.isCancelledByRequest)
      XCTAssertEqual(tree.model.runs.all, ["2 stop"])
    }
  }

  // Spec: C4.11, C4.15, C4.16
  func testAForkAndTheMark() {
    let tree = Tree()
    let root = tree.root()
    let branch = tree.child(root, .both)
    let other = tree.child(root, .value)
    tree.cancel(tree.follower(of: branch), "first")
    XCTAssertTrue(root.isPending && branch.isPending && other.isPending)
    tree.model.drain()
    XCTAssertTrue(branch.isCancelledByRequest && root.isPending)
    XCTAssertEqual(tree.model.runs.all, ["1 first"])
    tree.cancel(other, "second")
    XCTAssertEqual(root.outcome, "first")
    XCTAssertEqual(other.outcome, "second")
  }

  // Spec: C4.7, C4.12, C4.13, C5.3
  func testConsumers() {
    let kinds: [(Model.Kind, Bool)] = [
      (.value, true), (.both, true), (.shield, true), (.reason, false), (.finally, false), (.none, false),
    ]
    for (kind, counts) in kinds {
      let tree = Tree()
      let root = tree.root()
      let child = tree.child(root, kind)
      tree.cancel(tree.follower(of: root))
      XCTAssertEqual(root.isPending, counts, "\(kind)")
      if counts {
        tree.cancel(child)
        XCTAssertTrue(root.isCancelledByRequest)
      }
      let kept = Tree()
      let second = kept.root()
      let grandchild = kept.child(kept.child(second, kind), .value)
      kept.cancel(kept.follower(of: second))
      XCTAssertTrue(second.isPending, "\(kind), with a consumer of its own")
      kept.cancel(grandchild)
      XCTAssertEqual(second.isPending, counts, "\(kind)")
    }
    let tree = Tree()
    let root = tree.root()
    tree.cancel(tree.child(root, .value))
    XCTAssertTrue(root.isPending, "no consumer has withdrawn")
  }

  // Spec: C4.4, C4.8, C4.19, C4.20
  func testTheRest() {
    let tree = Tree()
    let root = tree.root()
    let shield = tree.child(root, .shield)
    let child = tree.child(shield, .value)
    tree.cancel(tree.follower(of: child))
    XCTAssertTrue(child.isCancelledByRequest && shield.isPending && root.isPending)
    let late = tree.root()
    tree.cancel(late)
    tree.model.resolve(late, .promise(root))
    tree.model.takeEffect()
    XCTAssertTrue(root.isPending)
    let follower = tree.follower(of: shield)
    tree.cancel(shield, "by itself")
    XCTAssertEqual(follower.outcome, "by itself")
    XCTAssertTrue(follower.isCancelledByRequest)
    XCTAssertEqual(root.outcome, "stop", "its last consumer has left")

    let settled = Tree()
    let done = settled.root()
    settled.fulfill(done)
    let below = settled.child(done, .value)
    let cancelled = settled.root()
    settled.cancel(cancelled)
    settled.model.resolve(cancelled, .promise(done))
    settled.model.takeEffect()
    XCTAssertTrue(below.isPending)
  }
}
