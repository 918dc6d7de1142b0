// C4 in code: the consumers of a promise, and the rule for a promise without consumers. Such a promise is
// cancelled after a withdrawal. The check looks at the final state only, not at the way or the time.
//
// The check excludes the promise that a thenable resolved with (`hasUnknownConsumers`), and a withdrawal by a
// promise that was cancelled before it adopts (C4.8).

extension World {
  /// "The consumers of a pending promise are..."
  func isWanted(_ record: Record) -> Bool {
    record.hasUnknownConsumers
      // K5.5, K6.5, K9.7, K15.5: a series whose task has returned the promise, unless the result of the
      // series was cancelled.
      || record.users.contains { !($0.seen?.isCancelledByRequest == true) }
      // "pending promises that have adopted it"; a deallocated follower has passed its consumers on to the
      // promise.
      || all.contains { other in
        let isFreed = other.promise == nil && other.seen == nil
        return other.followed === record
          && (other.isPending || isFreed && (other.hasUnknownConsumers || isInput(other)))
      }
      || record.children.contains { child in
        guard child.isPending else { return false }
        // C4.13: "A child that was resolved by hand is no consumer either"
        if child.isResolvedByHand { return false }
        // "has one consumer less"
        if child.isUnwanted, !isWanted(child) { return false }
        return switch child.step {
        // "pending children with a handler for the value"; C4.19
        case .value, .both, .tap, .tapBoth, .shield, .suspending: true
        // "other pending children while they have a consumer themselves"
        case .reason, .finally, .none, .timeout, .delay, .bagged: isWanted(child)
        }
      }
      // "combinators and `results(of:)` that are undecided"
      || isInput(record)
      || sequences.values.contains { $0.inputs.contains { $0 === record } }
  }

  private func isInput(_ record: Record) -> Bool {
    all.contains { result in result.isPending && result.inputs.contains { $0 === record } }
  }

  /// Notes which promises have lost their last consumer, and were cancelled, by this call alone (K17.11).
  func noteGivenUp(by record: Record, climbs: Bool, _ body: () -> Void) {
    guard !isThreaded, all.count < 100 else { return noteOrderOfCleanUp(from: record, body) }
    let performed = performed
    let pending = all.filter(\.isPending)
    var used: [ObjectIdentifier: [Record]] = [:]
    for record in pending { used[ObjectIdentifier(record)] = self.used(by: record) }
    let counts = Dictionary(used.values.flatMap { $0 }.map { (ObjectIdentifier($0), 1) }, uniquingKeysWith: +)
    noteOrderOfCleanUp(from: record, body)
    guard self.performed == performed else { return }
    var (open, known) = ([(record, climbs)], Set<ObjectIdentifier>())
    while let (record, climbs) = open.popLast() {
      guard let targets = used[ObjectIdentifier(record)], known.insert(ObjectIdentifier(record)).inserted,
        record.promise.flatMap(Seen.init)?.isCancelledByRequest == true
      else { continue }
      let parent = climbs && record.target == nil ? [record.parent].compactMap { $0 } : []
      // A promise that follows this one is cancelled with it.
      let left = targets.filter { counts[ObjectIdentifier($0)] == 1 && !$0.leads(to: record) } + parent
      record.gaveUpAt = clock
      record.gaveUp += left.filter {
        used[ObjectIdentifier($0)] != nil && $0.promise.flatMap(Seen.init)?.isCancelledByRequest == true
      }
      open += record.gaveUp.map { ($0, true) } + record.children.map { ($0, false) }
    }
  }

  private func used(by record: Record) -> [Record] {
    [record.followed].compactMap { $0 } + (record.cancelling.inputs ? record.inputs : [])
      + record.taskPromises
  }

  /// Marks the promises from which a settled promise has withdrawn.
  func noteWithdrawal(of record: Record) {
    guard let seen = record.seen else { return }
    // C4.1 to C4.3
    if seen.isCancelledByRequest, let target = record.followed { mark(target) }
    if seen.isCancelledByRequest, !record.isResolvedByHand { for used in record.taskPromises { mark(used) } }
    // K3.1, K3.3, K5.5
    let withdraws = seen.isCancelledByRequest ? record.cancelling.inputs : record.cancelling.rest
    if withdraws { for input in record.inputs { mark(input) } }
    // "A pending parent is marked as well": only if a withdrawal, and not a cancel, has cancelled the child.
    if seen.isCancelledByRequest, record.wasWithdrawnFrom, !record.isResolvedByHand,
      !cancels.contains(where: { cancel in record.path.contains { $0 === cancel.record } }),
      let parent = record.parent
    {
      mark(parent)
    }
  }

  func mark(_ record: Record) {
    record.wasWithdrawnFrom = true
    // C4.19, C4.20
    if record.step != .shield, record.isPending { record.isUnwanted = true }
  }

  /// C4.15: the mark takes effect when the last consumer leaves. No rejection handler is scheduled (C4.11),
  /// because all contexts are empty.
  func checkUnwanted() {
    for record in all where record.isUnwanted && record.isPending && !isWanted(record) {
      fail("C4.15", "\(record.number) is pending; a consumer has withdrawn from it, and none is left")
    }
  }
}
