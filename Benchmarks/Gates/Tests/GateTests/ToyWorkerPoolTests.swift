// Tests that the baseline for other threads works; otherwise the comparison is invalid.

import Dispatch
import Synchronization
import Testing
import Toy

/// Whether `event` is signaled within 30 seconds.
private func waited(_ event: DispatchSemaphore) -> Bool { event.wait(timeout: .now() + 30) == .success }

@Test func batchesRunAllInOrderAndOneAtATime() {
  let pool = ToyWorkerPool(DispatchQueue(label: "toy"), .batched)
  let (log, done) = (Log(), DispatchSemaphore(value: 0))
  let running = Atomic(0)
  let overlapped = Atomic(false)
  for index in 0..<10_000 {
    pool.submit {
      if running.add(1, ordering: .relaxed).newValue > 1 { overlapped.store(true, ordering: .relaxed) }
      log.add(index)
      running.subtract(1, ordering: .relaxed)
      if index == 9_999 { done.signal() }
    }
  }
  #expect(waited(done))
  // Compares outside `#expect`, because a failure message with both lists would be unreadable.
  let isInOrder = log.all == Array(0..<10_000)
  #expect(isInOrder)
  let everOverlapped = overlapped.load(ordering: .relaxed)
  #expect(!everOverlapped)
}

@Test func aPooledJobThatBlocksDelaysNoOther() {
  let pool = ToyWorkerPool(DispatchQueue(label: "toy", attributes: .concurrent), .pooled)
  let (mayGoOn, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  pool.submit { if waited(mayGoOn) { done.signal() } }
  pool.submit { mayGoOn.signal() }
  #expect(waited(done))
}

@Test func toysOnAPoolRunThereInPlace() {
  let queue = DispatchQueue(label: "toy")
  let key = DispatchSpecificKey<Bool>()
  queue.setSpecific(key: key, value: true)
  let pool = ToyWorkerPool(queue, .batched)
  let done = DispatchSemaphore(value: 0)
  let isElsewhere = Atomic(false)
  @Sendable func next(_ value: Any) -> Any {
    if DispatchQueue.getSpecific(key: key) == nil { isElsewhere.store(true, ordering: .relaxed) }
    return value as! Int + 1
  }
  let root = ToyPromise()
  let last = root.then(next).then(next)
  last.then { _ in done.signal() }
  root.resolve(0, on: pool)
  #expect(waited(done))
  #expect(last.result as? Int == 2)
  let late = last.then(on: pool, next)
  pool.submit { done.signal() }
  #expect(waited(done))
  #expect(late.result as? Int == 3)
  let ranElsewhere = isElsewhere.load(ordering: .relaxed)
  #expect(!ranElsewhere)
}
