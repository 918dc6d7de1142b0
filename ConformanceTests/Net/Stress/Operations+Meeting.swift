// Operations in which several threads use new promises, so that the outcome is known.

import DynamicPromise
import Seeds

extension Operation {
  static let meeting = circling + crowding + cancelling + tasks + workers

  /// Promises that follow one another in a ring. Several threads close the ring, in any order, and meanwhile
  /// release some members.
  private static let circling = [
    Operation("a ring that several threads close", 4) { random in
      let ring = (0..<(2 + random.below(4))).map { _ in Promise(on: .immediate) }
      let watched = ring.indices.filter { $0 == 0 || random.once(in: 3) }
      let expectation = Expectation("A2.1", "a promise of a ring finds the cycle", times: watched.count)
      for number in watched {
        ring[number].catch { error in
          if case PromiseError.cycle = error { return expectation.meet() }
          Report.fail("A2.1", "a promise of a ring is rejected with \(error)")
        }
      }
      for number in ring.indices.shuffled(using: &random) {
        let (promise, next) = (ring[number], ring[(number + 1) % ring.count])
        later(&random) { promise.bind(next) }
      }
    },
    Operation("a ring of promises that others use", 1) { random in
      let ring = (0..<(2 + random.below(3))).map { _ in Entry(Promise()) }
      for (number, entry) in ring.enumerated() {
        let next = ring[(number + 1) % ring.count].promise
        Contexts.elsewhere { entry.bind(next) }
        Pool.put(entry, &random)
        Pool.cancelLater(entry.promise)
      }
    },
  ]

  /// Acts on another thread, after a random pause below 2 to the power of `bits`.
  static func later(_ random: inout Random, bits: Int = 12, _ act: @escaping @Sendable () -> Void) {
    let pause = random.below(1 << random.below(bits))
    Contexts.elsewhere {
      lose(pause)
      act()
    }
  }

  /// Spends some time, so that other threads may act meanwhile.
  @inline(never)
  static func lose(_ steps: Int) {
    var random = Random(1)
    for _ in 0..<steps { _ = random.next() }
  }

  // MARK: One lock

  private static let crowding = [
    Operation("several threads at one promise", 2) { random in
      let (promise, count) = (Promise(on: .immediate), 50 + random.below(200))
      let expectation = Expectation("2.2.6", "handlers of several threads run", times: 3 * count)
      let add: @Sendable () -> Void = {
        for _ in 0..<count {
          let child = promise.then { _ in expectation.meet() }
          _ = (child.parent, child.isPending)
        }
      }
      Contexts.elsewhere(add)
      Contexts.elsewhere(add)
      if random.once(in: 2) { Contexts.elsewhere { promise.fulfill(1) } }
      add()
      promise.fulfill(1)
    }
  ]

  // MARK: Cancels of one tree

  private static let cancelling = [
    Operation("a cancel against a cancel and finished", 4) { random in
      let tree = Tree(&random)
      let expectation = Expectation("K17.1", "a tree that was cancelled settles")
      let end: @Sendable (Any) -> Void = { _ in
        if let node = tree.nodes.first(where: \.promise.isPending) {
          Report.fail("K17.1", "\(node.promise) in a settled tree")
        }
        expectation.meet()
      }
      let cancel: @Sendable () -> Void = {
        tree.root.cancel()
        // C3.2 applies even if another thread has begun the cancel.
        if let node = tree.nodes.first(where: \.isMissed) {
          Report.fail("C3.2", "\(node.promise) of \(tree.nodes.count), after a cancel")
        }
      }
      later(&random, cancel)
      later(&random) { tree.root.finished(on: .immediate).then(end) }
      if random.once(in: 2) { Contexts.elsewhere { tree.root.fulfill(1) } }
      lose(random.below(1 << random.below(12)))
      cancel()
    },
    Operation("a finally against a cancel", 2) { random in
      let parent = Promise(on: .immediate)
      let expectation = Expectation("C9.4", "the body of a finally runs")
      let child = parent.finallyOn(Contexts.serial[random.below(2)]) { expectation.meet() }
      later(&random) { child.cancel() }
      parent.fulfill(1)
    },
  ]

  /// A tree of a few levels. Some of its promises have clean-up handlers.
  private final class Tree: Live, @unchecked Sendable {
    struct Node {
      let promise: Promise
      let above: Promise?

      /// Whether the cancel of the root has missed this promise: it is pending below a settled promise that
      /// was not cancelled.
      var isMissed: Bool {
        guard promise.isPending, let above else { return false }
        return above.isSettled && !above.isCancelled && promise.isPending
      }
    }

    let root: Promise
    let nodes: [Node]

    init(_ random: inout Random) {
      root = Promise(on: random.once(in: 3) ? .immediate : Contexts.serial[0])
      if random.once(in: 2) { root.fulfill(1) }
      var nodes = [Node(promise: root, above: nil)]
      for _ in 0..<(2 + random.below(8)) {
        let above = nodes[random.below(nodes.count)].promise
        let child =
          switch random.below(3) {
          case 0: above.catch { _ in 2 }
          case 1: above.then { _ in Promise() }
          default: above.then { $0 }
          }
        nodes.append(Node(promise: child, above: above))
      }
      self.nodes = nodes
      super.init(.capture)
    }
  }
}
