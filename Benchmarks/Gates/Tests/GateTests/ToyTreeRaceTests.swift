// The floor of what can be cancelled, on two threads at once.

import Dispatch
import Synchronization
import Testing
import Toy

/// A tree with what is expected of it.
private final class Tree: Sendable {
  static let depth = 12

  /// What handlers and values hold.
  final class Member: Sendable {
    private let tree: Tree
    let number: Int

    init(_ tree: Tree, _ number: Int) {
      self.tree = tree
      self.number = number
      tree.members.add(1, ordering: .relaxed)
    }

    deinit { tree.members.subtract(1, ordering: .acquiringAndReleasing) }
  }

  let members = Atomic(0)
  /// How many handlers have been called.
  let called = Atomic(0)
  /// How many of them when all had been cancelled.
  let calledBefore = Atomic(Int.max)
  private let promises = Mutex<[TreePromise]>([])

  var all: [TreePromise] { promises.withLock { $0 } }

  func add(_ promise: TreePromise) { promises.withLock { $0.append(promise) } }
  func add(_ promises: [TreePromise]) { self.promises.withLock { $0 += promises } }
  func drop() { promises.withLock { $0 = [] } }

  /// A child that counts its call, and captures and passes on something that is counted.
  @discardableResult
  func child(of promise: TreePromise) -> TreePromise {
    let captured = Member(self, 0)
    return promise.then { input in
      self.called.add(1, ordering: .relaxed)
      return Member(self, (input as! Member).number + captured.number + 1)
    }
  }

  /// A root and a chain, each with another child; `isHeld` says whose handles are kept.
  func build(_ isHeld: (Int) -> Bool) -> (root: TreePromise, last: TreePromise) {
    let root = TreePromise()
    var last = root
    for index in 0..<Self.depth {
      if index % 3 == 0 { child(of: last) }
      last = child(of: last)
      if isHeld(index) { add(last) }
    }
    return (root, last)
  }

  static let size = depth + (depth + 2) / 3
}

/// Two threads meet before each round.
private final class Meeting: Sendable {
  private let arrived = Atomic(0)

  func meet(_ round: Int) {
    arrived.add(1, ordering: .acquiringAndReleasing)
    var looks = 0
    while arrived.load(ordering: .acquiring) < 2 * (round + 1) {
      looks += 1
      // The other one may have no processor.
      if looks > 10_000 { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(20)) }
    }
  }
}

/// Calls both with each of the trees at the same instant, on two threads.
private func together<Item: Sendable>(
  _ items: [Item], _ one: @escaping @Sendable (Item) -> Void, _ other: @escaping @Sendable (Item) -> Void
) -> Bool {
  let (meeting, done) = (Meeting(), DispatchSemaphore(value: 0))
  DispatchQueue(label: "other").async {
    for (round, item) in items.enumerated() {
      meeting.meet(round)
      other(item)
    }
    done.signal()
  }
  for (round, item) in items.enumerated() {
    meeting.meet(round)
    one(item)
  }
  return done.wait(timeout: .now() + 60) == .success
}

private struct Round: Sendable {
  let tree: Tree
  let root: TreePromise
  let last: TreePromise
  let number: Int
}

private func rounds(_ isHeld: (Int, Int) -> Bool) -> [Round] {
  (0..<5000).map { number in
    let tree = Tree()
    let (root, last) = tree.build { isHeld(number, $0) }
    return Round(tree: tree, root: root, last: last, number: number)
  }
}

@Test(arguments: [0, 1, 2, 3])
func cancellingAndResolvingLoseNobodyAndCallNobodyTooLate(_ kind: Int) {
  var all = rounds { number, index in kind == 1 || kind == 2 && (number >> (index % 8)) & 1 == 1 }
  let ended = together(all) { round in
    round.root.resolve(Tree.Member(round.tree, 0))
  } _: { round in
    for _ in 0..<(round.number % 50) { _ = round.tree.called.load(ordering: .relaxed) }
    let held = round.tree.all
    if kind == 3 || held.isEmpty {
      round.root.cancel()
      round.tree.calledBefore.store(round.tree.called.load(ordering: .acquiring), ordering: .relaxed)
    } else {
      held[round.number % held.count].cancel()
    }
  }
  #expect(ended)
  for round in all {
    let calls = round.tree.called.load(ordering: .relaxed)
    // One may have started already.
    let before = round.tree.calledBefore.load(ordering: .relaxed)
    #expect(before == .max || calls <= before + 1)
    #expect(calls <= Tree.size)
    #expect(round.last.isCancelled || round.last.number == Tree.depth)
    #expect(round.last.isCancelled || calls >= Tree.depth)
    for promise in round.tree.all { #expect(promise.result != nil) }
  }
  expectNobodyLeft(&all)
}

@Test func thenAndResolveAtTheSameInstantLoseNobody() {
  var all = rounds { _, index in index == 3 }
  let ended = together(all) {
    $0.root.resolve(Tree.Member($0.tree, 0))
  } _: { round in
    for promise in round.tree.all + [round.root, round.last] {
      round.tree.add(round.tree.child(of: round.tree.child(of: promise)))
    }
  }
  #expect(ended)
  for round in all {
    #expect(round.tree.called.load(ordering: .relaxed) == Tree.size + 6)
    #expect(round.last.number == Tree.depth)
    for promise in round.tree.all { #expect(promise.number != nil) }
  }
  expectNobodyLeft(&all)
}

@Test func releasingAndResolvingAtTheSameInstantLeavesNobody() {
  var all = rounds { _, _ in true }
  let ended = together(all) {
    $0.root.resolve(Tree.Member($0.tree, 0))
  } _: { round in
    let late = round.root.then { $0 }
    round.tree.drop()
    late.cancel()
    round.root.cancel()
  }
  #expect(ended)
  expectNobodyLeft(&all)
}

/// What is reachable from the trees is freed when nothing retains their promises any more.
private func expectNobodyLeft(_ rounds: inout [Round]) {
  let trees = rounds.map(\.tree)
  rounds.removeAll()
  for tree in trees { tree.drop() }
  let areEmpty = trees.allSatisfy { $0.members.load(ordering: .acquiring) == 0 }
  #expect(areEmpty)
}

extension TreePromise {
  fileprivate var number: Int? {
    if case .success(let value) = result { (value as? Tree.Member)?.number } else { nil }
  }
}
