// Tests that the baseline is a promise; otherwise the comparison is invalid.

import GateKit
import Synchronization
import Testing
import Toy

/// The numbers that handlers add, in order.
final class Log: Sendable {
  private let lines = Mutex<[Int]>([])
  var all: [Int] { lines.withLock { $0 } }
  func add(_ line: Int) { lines.withLock { $0.append(line) } }
}

@Test func toyHandlersRunInOrderAndLateOnesToo() {
  let log = Log()
  let promise = ToyPromise()
  for index in 0..<3 { promise.then { log.add(index * 10 + ($0 as! Int)) } }
  promise.resolve(7)
  promise.then { log.add($0 as! Int) }
  #expect(log.all == [7, 17, 27, 7])
}

@Test func toyChainsDoNotRecurse() {
  let root = ToyPromise()
  var last = root
  for _ in 0..<200_000 { last = last.then { $0 as! Int + 1 } }
  root.resolve(0)
  #expect(last.result as? Int == 200_000)
}

@Test func toysFollowSettledAndPendingPromises() {
  let later = ToyPromise()
  let now = ToyPromise(resolved: 0).then { _ in ToyPromise(resolved: 1) }
  let pending = ToyPromise(resolved: 0).then { _ in later }
  #expect(now.result as? Int == 1)
  #expect(pending.result == nil)
  later.resolve(2)
  #expect(pending.result as? Int == 2)
}

@Test func toyAllCollectsInOrder() {
  let inputs = (0..<4).map { _ in ToyPromise() }
  let all = ToyPromise.all(inputs)
  for index in [2, 0, 3, 1] { inputs[index].resolve(index) }
  #expect(all.result as? [Int] == [0, 1, 2, 3])
}

@Test func pendingToysLetGoOfThoseThatWait() {
  weak var child: ToyPromise?
  do {
    let root = ToyPromise()
    child = root.then { $0 }
    root.then { $0 }
    #expect(child != nil)
  }
  #expect(child == nil)
}

@Test func steppedContextRunsWhatItsJobsEnqueue() {
  let context = SteppedContext()
  let log = Log()
  context.execute {
    log.add(1)
    context.execute { log.add(3) }
  }
  context.execute { log.add(2) }
  #expect(log.all == [])
  context.drain()
  #expect(log.all == [1, 2, 3])
}
