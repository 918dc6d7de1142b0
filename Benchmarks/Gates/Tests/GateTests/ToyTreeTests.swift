// The cancellable baseline must be able to cancel, or the comparison is invalid.

import Dispatch
import Foundation
import Synchronization
import Testing
import Toy

private struct Problem: Error, Equatable {
  let number: Int
}

/// Counts those that have gone.
private final class Census: Sendable {
  private let number = Atomic(0)
  var missing: Int { number.load(ordering: .acquiring) }

  /// Captured by a handler, or a value.
  final class Member: Sendable {
    private let census: Census
    init(_ census: Census) {
      self.census = census
      census.number.add(1, ordering: .relaxed)
    }
    deinit { census.number.subtract(1, ordering: .releasing) }
  }

  func member() -> Member { Member(self) }
}

@Test func treeHandlersRunInOrderAndLateOnesToo() {
  let log = Log()
  let promise = TreePromise()
  for index in 0..<3 {
    let child = promise.then {
      log.add(index * 10 + ($0 as! Int))
      return index
    }
    child.then { _ in log.add(100 + index) }
  }
  promise.resolve(7)
  promise.then { log.add($0 as! Int) }
  #expect(log.all == [7, 100, 17, 101, 27, 102, 7])
}

@Test func treeChainsDoNotRecurse() {
  let root = TreePromise()
  var last = root
  for _ in 0..<200_000 { last = last.then { $0 as! Int + 1 } }
  root.resolve(0)
  #expect(last.value == 200_000)
  let again = TreePromise()
  last = again
  for _ in 0..<200_000 { last = last.then { $0 as! Int + 1 } }
  again.cancel()
  #expect(last.isCancelled)
}

@Test func aHandlerThatThrowsRejectsAllBelow() {
  let log = Log()
  let root = TreePromise()
  let thrower = root.then { _ in throw Problem(number: 1) }
  let last = thrower.then { _ in log.add(1) }.then { _ in log.add(2) }
  let sibling = root.then { $0 as! Int + 1 }
  root.resolve(0)
  #expect(last.problem == 1)
  #expect(!last.isCancelled)
  #expect(thrower.then { _ in log.add(3) }.problem == 1)
  #expect(sibling.value == 1)
  let rejected = TreePromise()
  let below = rejected.then { _ in log.add(4) }
  rejected.reject(Problem(number: 2))
  #expect(below.problem == 2)
  #expect(sibling.then { _ in throw Problem(number: 3) }.problem == 3)
  #expect(log.all == [])
}

@Test func pendingTreePromisesKeepTheirParents() {
  let log = Log()
  var root: TreePromise? = TreePromise()
  let child = root!.then { log.add($0 as! Int) }
  let grandchild = child.then { $0 }
  weak let seen = root
  root = nil
  #expect(child.parent === seen)
  #expect(grandchild.parent === child)
  child.parent?.resolve(5)
  #expect(log.all == [5])
  #expect(seen == nil)
  #expect(grandchild.parent == nil)
}

@Test func aRunningHandlersPromiseHasItsParent() {
  let root = TreePromise()
  let child = Mutex<TreePromise?>(nil)
  let isThere = Atomic(false)
  let middle = root.then { $0 }
  let last = middle.then { _ in
    let parent = child.withLock { $0 }?.parent
    return isThere.store(parent != nil && parent?.value == 0, ordering: .relaxed)
  }
  child.withLock { $0 = last }
  root.resolve(0)
  child.withLock { $0 = nil }
  let wasThere = isThere.load(ordering: .relaxed)
  #expect(wasThere)
}

@Test(arguments: [0, 1, 50, 98])
func cancellingTheRootOfAChainThatRunsStopsTheRest(_ stop: Int) {
  let log = Log()
  let root = TreePromise()
  let middle = Mutex<TreePromise?>(nil)
  var last = root
  for index in 0..<100 {
    last = last.then { _ in
      log.add(index)
      if index == stop { root.cancel(Problem(number: index)) }
      return index
    }
    // One of those in between is held, too.
    if index == 30 { middle.withLock { [last] in $0 = last } }
  }
  root.resolve(0)
  #expect(log.all == Array(0...stop))
  #expect(last.isCancelled)
  #expect(last.problem == stop)
  #expect(root.value == 0)
  #expect(last.then { _ in log.add(-1) }.isCancelled)
  #expect(log.all.count == stop + 1)
}

@Test func aSettledPromiseInTheMiddleCancelsOnlyWhatIsBelow() {
  let log = Log()
  let root = TreePromise(resolved: 0)
  let middle = root.then { $0 }
  let other = root.then { $0 }
  // Those in between are gone when the last ones are pending.
  let below = Mutex<[TreePromise]>([])
  func deep(_ start: TreePromise) -> TreePromise { start.then { $0 }.then { $0 }.then { $0 } }
  let (left, right) = (deep(middle), deep(other))
  let first = left.then { _ in
    below.withLock { $0.append(left.then { _ in log.add(2) }) }
    middle.cancel()
    return log.add(1)
  }
  let second = right.then { _ in
    middle.cancel()
    return log.add(3)
  }
  #expect(first.isCancelled)
  #expect(!second.isCancelled)
  #expect(second.result != nil)
  #expect(log.all == [2, 1, 3])
  below.withLock { $0 = [] }
}

@Test func cancellingBeforeTheStartWithdrawsAndFrees() {
  let (log, census) = (Log(), Census())
  let root = TreePromise()
  let children = (0..<3).map { index in
    let member = census.member()
    return root.then { _ in withExtendedLifetime(member) { log.add(index) } }
  }
  #expect(census.missing == 3)
  children[1].cancel()
  #expect(census.missing == 2)
  #expect(children[1].parent == nil)
  root.resolve(0)
  #expect(log.all == [0, 2])
  #expect(census.missing == 0)
}

@Test func aSiblingThatIsCancelledByTheOneBeforeIsNotCalled() {
  let log = Log()
  let root = TreePromise()
  let later = Mutex<TreePromise?>(nil)
  root.then { _ in
    log.add(1)
    later.withLock { $0 }?.cancel()
    return 1
  }.then { _ in log.add(2) }
  later.withLock { $0 = root.then { _ in log.add(3) } }
  root.then { _ in log.add(4) }
  root.resolve(0)
  #expect(log.all == [1, 2, 4])
}

@Test func childrenOfThoseThatAreGoneAreStillFound() {
  let root = TreePromise(resolved: 0)
  var middle: TreePromise? = root.then { $0 }
  let leaves = (0..<3).map { _ in middle!.then { $0 } }
  middle = nil
  // Each of them has its place below the root now.
  let log = Log()
  let running = leaves[1].then { _ in
    root.cancel()
    return log.add(1)
  }
  #expect(running.isCancelled)
  #expect(leaves.allSatisfy { !$0.isCancelled })
  #expect(log.all == [1])
}

@Test func aRootWhoseLastChildWasCancelledGoes() {
  weak var gone: TreePromise?
  do {
    let root = TreePromise()
    gone = root
    root.then { $0 }.cancel()
    root.then { $0 }.cancel()
  }
  #expect(gone == nil)
}

extension TreePromise {
  var value: Int? { if case .success(let value) = result { value as? Int } else { nil } }

  fileprivate var problem: Int? {
    if case .failure(let error) = result { (error as? Problem)?.number } else { nil }
  }
}
