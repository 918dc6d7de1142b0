// Checks of blocking waits, and of `parent` and `root`.

import DynamicPromise

extension World {
  /// H2.5: a timeout that expires at once, so that no fault can hang the program.
  private static let patience = 1e-6

  /// Waits for a promise on the current stack, which may be inside a handler.
  func wait(_ number: Int) {
    guard let promise = promises[number], let record = records[number] else { return }
    if promise.isSettled { record.isObserved = true } else { record.mayBeObserved = true }
    let wasSettled = promise.isSettled
    let wasBlocked = isBlocked(record)
    let settled = Set(all.filter { $0.promise?.isSettled == true }.map(\.age))
    let count = all.count
    lane.waits += 1
    defer { lane.waits -= 1 }
    let others = frames.count { if case .handler = $0 { false } else { true } }
    if lane.waits > 50 + others { fail("X6.4", "\(lane.waits) waits nest on one stack") }
    do {
      _ = try calling { try promise.get(timeout: Self.patience) }
      if promise.isPending { fail("H2.5", "a wait for \(number) ends with a value while it is pending") }
    } catch PromiseError.wouldDeadlock where isThreaded {
    } catch PromiseError.timeout where isThreaded {
    } catch PromiseError.wouldDeadlock where promise.isPending {
      if isBlocked(record) == false { fail("H2.10", "a wait for \(number) would not deadlock, but says so") }
    } catch PromiseError.timeout where promise.isPending {
      // Checks before and after the wait, because the end of the wait may schedule the handler when the last
      // consumer leaves.
      if wasBlocked == true, isBlocked(record) == true {
        fail("H2.8", "a wait for \(number) would deadlock, and does not say so")
      }
      // The end of the wait may also run hooks, which register handlers.
      checkDone(below: settled, among: count, "a thread blocks")
      if record.cancelsWhenUnwanted, record.parent == nil, !isWanted(record) {
        fail("C4.21", "\(number) is pending after a wait, its last consumer")
      }
    } catch {
      if promise.isPending { fail("H2.5", "a wait for \(number) throws \(error) while it is pending") }
    }
    if wasSettled, !calling({ promise.wait() }) {
      fail("H2.5", "a wait for \(number), which has settled, fails")
    }
  }

  /// H2.8: whether a pending promise cannot settle before this thread returns. `nil` if the answer is not
  /// known from outside.
  private func isBlocked(_ record: Record, depth: Int = 0) -> Bool? {
    // The limit ends the search in a ring of promises that wait for each other.
    guard depth < 100 else { return nil }
    if record.hasThenable || record.combinator != nil || record.top != nil || record.series != nil {
      return nil
    }
    if let target = record.target { return isBlocked(orSettled: target, depth) }
    if record.isResolvedByHand { return nil }
    if record.isRunning { return true }
    guard let parent = record.parent else { return false }
    guard let outcome = parent.promise, record.step.hasHandler, record.runs == 0 else {
      // A clock or something else outside this thread may settle the promise.
      if record.runs > 0 || record.step.isTimed || record.step == .shield || record.step == .bagged {
        return nil
      }
      return isBlocked(orSettled: parent, depth)
    }
    guard outcome.isSettled else {
      // Assumes that a pending promise will be fulfilled.
      let isInside = isInside(record.place)
      if record.step.handles(fulfilled: true), isInside != false { return isInside }
      return isBlocked(orSettled: parent, depth)
    }
    guard record.step.handles(fulfilled: outcome.isFulfilled) else { return nil }
    if isInside(record.place) != false { return isInside(record.place) }
    // The handler may run in place after another handler of the same parent.
    return isRunningHandlers(parent) ? nil : false
  }

  /// Whether this thread runs a job of a stepped context. `nil` if the job may have returned and its captures
  /// are being deallocated.
  private func isInside(_ place: Place) -> Bool? {
    guard let step = frames.lastIndex(of: .step(place)) else { return false }
    return frames[step...].contains(.deinit) ? nil : true
  }

  private func isBlocked(orSettled record: Record, _ depth: Int) -> Bool? {
    guard let promise = record.promise else { return nil }
    return promise.isSettled ? nil : isBlocked(record, depth: depth + 1)
  }

  /// Whether a child's handler runs in place further down on this stack, or may do so.
  private func isRunningHandlers(_ parent: Record) -> Bool {
    all.contains {
      guard $0.parent === parent else { return false }
      return $0.isRunning || $0.place == .atOnce || $0.place == .immediate && $0.runs > 0
    }
  }

  /// H2.11: a thread completes its own work before it blocks. Every handler of a settled promise is
  /// scheduled, or has run in place, unless another handler of that promise is running.
  func checkDone(below settled: Set<Int>, among count: Int = .max, _ moment: String) {
    for record in all.prefix(count) where record.isPending && record.runs == 0 && !record.isResolvedByHand {
      guard let parent = record.parent, let outcome = parent.promise, settled.contains(parent.age),
        record.step.handles(fulfilled: outcome.isFulfilled), !lane.registering.contains(record.number),
        !isRunningHandlers(parent)
      else { continue }
      if (contexts[record.place]?.pendingJobs ?? 0) == 0, !frames.contains(.step(record.place)) {
        fail("H2.11", "\(moment), and has not begun \(record.number), below \(parent.number)")
      }
    }
  }

  // MARK: Relatives

  /// L3.6, L3.7: `parent` is the nearest ancestor that exists, `root` the furthest.
  func checkRelatives(of record: Record) {
    guard let promise = record.promise else { return }
    let above = record.path.dropFirst().compactMap(\.promise)
    let (parent, root) = (promise.parent, promise.root)
    if parent !== above.first { fail("L3.6", "the parent of \(record.number) is another") }
    if root !== above.last ?? promise { fail("L3.7", "the root of \(record.number) is another") }
  }
}
