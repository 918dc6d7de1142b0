// Tests that the floor is a promise; otherwise the comparison is invalid.

import Dispatch
import Testing
import Toy

@Test func chainsDoNotRecurse() {
  let root = ToyPromise()
  var last = root
  for _ in 0..<200_000 { last = last.then { $0 as! Int + 1 } }
  root.resolve(0)
  #expect(last.result as? Int == 200_000)
}

@Test func settledAndPendingPromisesAreFollowed() {
  let later = ToyPromise()
  let now = ToyPromise(resolved: 0).then { _ in ToyPromise(resolved: 1) }
  let pending = ToyPromise(resolved: 0).then { _ in later }
  #expect(now.result as? Int == 1)
  #expect(pending.result == nil)
  later.resolve(2)
  #expect(pending.result as? Int == 2)
}

@Test func allCollectsInOrder() {
  let inputs = (0..<4).map { _ in ToyPromise() }
  let all = ToyPromise.all(inputs)
  for index in [2, 0, 3, 1] { inputs[index].resolve(index) }
  #expect(all.result as? [Int] == [0, 1, 2, 3])
}

/// Whether `event` is signaled within 30 seconds.
private func waited(_ event: DispatchSemaphore) -> Bool { event.wait(timeout: .now() + 30) == .success }

@Test func aPooledJobThatBlocksDelaysNoOther() {
  let pool = ToyWorkerPool(DispatchQueue(label: "toy", attributes: .concurrent), .pooled)
  let (mayGoOn, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  pool.submit { if waited(mayGoOn) { done.signal() } }
  pool.submit { mayGoOn.signal() }
  #expect(waited(done))
}

@Test func handlersBelowAPooledPromiseRunOnItsQueue() {
  let queue = DispatchQueue(label: "toy")
  let pool = ToyWorkerPool(queue, .batched)
  let done = DispatchSemaphore(value: 0)
  let root = ToyPromise()
  let last = root.then {
    dispatchPrecondition(condition: .onQueue(queue))
    return $0 as! Int + 1
  }
  last.then { _ in done.signal() }
  root.resolve(0, on: pool)
  #expect(waited(done))
  #expect(last.result as? Int == 1)
}
