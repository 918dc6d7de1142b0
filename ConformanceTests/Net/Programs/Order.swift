// Checks of order, where the Spec promises an order.

import Dispatch
import DynamicPromise

extension World {
  /// 2.2.6.1, 2.2.6.2, A4.1: handlers of one promise begin in the order of registration, on each context.
  func checkOrder(of record: Record, below parent: Record, fulfilled: Bool) {
    if isThreaded { return checkOrderOnThreads(of: record, below: parent, fulfilled) }
    if let first = record.comesAfter.first(where: { waits($0, false) }), !mayBreak {
      fail("C4.25", "the handler of \(record.number) begins before that of the inner \(first.number)")
    }
    // C4.11: this promise is excluded, because the unwanted branch is cancelled first.
    if record.wasWithdrawnFrom || record.wasCancelled || record.isResolvedByHand { return }
    if mayWithdraw, mayBeWithdrawnFrom(record) { return }
    for sibling in parent.children where sibling.age < record.age && waits(sibling, fulfilled) {
      // C4.11: this sibling is excluded, because a withdrawal from it may have begun.
      if mayWithdraw, all.contains(where: { $0.target === sibling }) { continue }
      if sibling.place == record.place {
        fail("2.2.6", "the handler of \(record.number) begins before that of \(sibling.number)")
      }
    }
    // X3.3: "Handlers below a child run after the handlers of earlier siblings".
    guard let above = parent.parent, let outcome = above.promise, outcome.isSettled,
      record.place == .immediate, parent.place == .immediate, parent.runs > 0, !parent.isRunning,
      !parent.isResolvedByHand, !parent.beganEarly,
      parent.target == nil, !parent.hasThenable, record.age < parent.begun
    else { return }
    for sibling in above.children
    where sibling.place == .immediate && sibling.age < parent.begun && !sibling.isLate {
      if waits(sibling, outcome.isFulfilled), sibling !== parent {
        fail("X3.3", "the handler of \(record.number) begins before that of \(sibling.number), further up")
      }
    }
  }

  /// A4.1: only a registration that had returned has a place before this one.
  private func checkOrderOnThreads(of record: Record, below parent: Record, _ fulfilled: Bool) {
    guard contexts[record.place] != nil || record.place == .serial, !mayWithdraw, !mayBreak else { return }
    for sibling in parent.children
    where sibling.place == record.place && sibling.ends < record.begins && waits(sibling, fulfilled)
      && sibling.step != .suspending && record.step != .suspending
    {
      fail("2.2.6", "the handler of \(record.number) begins before that of \(sibling.number)")
    }
  }

  /// C4.25: performs a cancel or withdrawal, and stores the order of clean-up that the call requires. If
  /// `outer` follows or collects `inner`, or a promise below it, clean-up below `inner` must begin first.
  func noteOrderOfCleanUp(from record: Record, _ call: () -> Void) {
    if isThreaded { return calling(call) }
    let (age, performed) = (all.count, performed)
    let pairs = all.filter(\.isPending).flatMap { outer in
      ((outer.target.map { [$0] } ?? []) + (outer.cancelling.inputs ? outer.inputs : [])).flatMap { target in
        let chain = target.path.prefix(while: \.isPending)
        return chain.contains { $0 === outer } ? [] : chain.indices.map { (outer, chain[$0...]) }
      }
    }
    call()
    // Checks no order if handlers or hooks performed operations, because these may have cancelled one of the
    // promises.
    guard performed == self.performed else { return }
    // Handlers behind and below a handler in place are excluded, because it may delay them.
    for (outer, chain) in pairs where isCancelled(outer) && isCancelled(chain.first!) {
      if chain.contains(where: { $0.runs > 0 }) { continue }
      // The cancel comes from `inner`, so `outer` does not withdraw.
      if chain.first!.path.contains(where: { $0 === record }), !outer.path.contains(where: { $0 === record })
      {
        continue
      }
      let first = chain.first!.children.prefix { contexts[$0.place] != nil && $0.age < age }
      for child in outer.children where contexts[child.place] != nil && !mayBeWithdrawnFrom(child) {
        child.comesAfter += first.filter { $0.place == child.place && waits($0, false) }
      }
    }
  }

  private func isCancelled(_ record: Record) -> Bool {
    record.promise.flatMap(Seen.init)?.isCancelledByRequest == true
  }

  private func waits(_ record: Record, _ fulfilled: Bool) -> Bool {
    record.step.handles(fulfilled: fulfilled) && record.runs == 0 && record.isPending
      && !record.isResolvedByHand
  }

  var pendingJobs: Int { contexts.values.reduce(0) { $0 + $1.pendingJobs } }

  private static let queue = DispatchQueue(label: "ExecutableSpec")
  private static let patience = 5.0

  /// A4.7: a call that settles, however deep, schedules handlers of other contexts before it returns.
  func runElsewhere() {
    if isThreaded { return }
    let (promise, ran) = (Promise(on: Self.queue), DispatchSemaphore(value: 0))
    promise.then { (_: Any) -> Any? in ran.signal() }
    promise.fulfill(nil)
    guard ran.wait(timeout: .now() + Self.patience) == .timedOut else { return }
    fail("A4.7", "a handler on a queue does not run while this thread blocks")
  }

  /// Checks A4.7 for stepped contexts, unless the stack is deep. A handler in place runs before the handlers
  /// behind it.
  func checkScheduled(below record: Record, _ promise: Promise, since waiting: Int) {
    let first = record.children.filter { waits($0, promise.isFulfilled) }.min { $0.age < $1.age }
    // X6.1: in a handler or hook, earlier work in place waits until that handler or hook has returned. Such
    // work is a `delay`, or the handler of a child that was settled by hand.
    let isInPlace = { (child: Record) in
      child.step == .delay || child.isResolvedByHand && self.contexts[child.place] == nil
    }
    if record.children.contains(where: { isInPlace($0) && $0.age < first?.age ?? 0 }) { return }
    guard let first, contexts[first.place] != nil, !mayBreak, !mayBeWithdrawnFrom(first), frames.count < 4,
      lane.depth == 0,
      pendingJobs <= waiting
    else { return }
    fail("A4.7", "\(record.number) was settled, and the handler of \(first.number) is not scheduled")
  }
}
