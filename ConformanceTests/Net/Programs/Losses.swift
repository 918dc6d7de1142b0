// L5 in code: the rules for lost rejections.

import DynamicPromise

extension World {
  func noteLoss(_ loss: Promise.UnhandledRejection) { inside { add(loss) } }

  private func add(_ loss: Promise.UnhandledRejection) {
    let reason = text(.failure(loss.reason))
    lost[reason, default: 0] += 1
    if loss.reason.isCancellation { fail("L5.5", "a cancellation is reported as unhandled: \(reason)") }
    let lane = lane
    if lane.isReporting { fail("L5.6", "the hook for lost rejections runs inside itself") }
    let body = whenLost
    whenLost = []
    lane.isReporting = true
    perform(body, in: .other)
    lane.isReporting = false
  }

  /// L5.4, L5.5: each unobserved rejection was reported once. Everything has been deallocated.
  func checkLosses() {
    // On threads, the model does not know whether an observer came before the rejection.
    if isThreaded { return }
    // The number of promises whose outcome is not known.
    let unknown = all.filter { $0.seen == nil }.count
    var (expected, possible): ([String: Int], [String: Int]) = ([:], [:])
    for record in all {
      guard let seen = record.seen, !seen.isFulfilled, !record.isObserved || record.wasLeft else { continue }
      // A child that was not cancelled has handled the rejection, or has passed it on.
      if record.children.contains(where: { $0.seen?.isCancelledByRequest == false }) { continue }
      if seen.isCancelledByRequest || seen.text == text(.failure(CancellationError())) { continue }
      if record.mayBeObserved || record.wasLeft {
        possible[seen.text, default: 0] += 1
      } else {
        expected[seen.text, default: 0] += 1
      }
    }
    // Cycle errors are excluded. The Spec does not say which members of a ring have observed another member's
    // rejection.
    lost[text(.failure(PromiseError.cycle))] = nil
    expected[text(.failure(PromiseError.cycle))] = nil
    for reason in Set(expected.keys).union(lost.keys).sorted() {
      let (count, least) = (lost[reason] ?? 0, expected[reason] ?? 0)
      if count < least { fail("L5.4", "\(reason) was lost \(least) times, and reported \(count) times") }
      if count > least + unknown + (possible[reason] ?? 0) {
        fail("L5.5", "\(reason) is reported \(count) times, and was lost \(least)")
      }
    }
  }
}
