// The model: the outcome of each promise, where the Spec defines it, clause by clause.
//
// The model does not run beside the library, so it needs no order where the Spec promises none. It checks
// whether the outcome of a settled promise follows from its causes. The causes are the promise's parent, its
// handler's answer, the promise that it follows, its inputs, and calls by hand.
//
// The model excludes three cases that cannot be decided from outside:
//
// - the outcome of a thenable whose method does more than answer;
// - which of several outcomes came first for `race`, `any`, `some` or `all`; any of them is accepted;
// - the outcome of a promise that is deallocated before it is seen.

import DynamicPromise

extension World {
  /// Checks the outcome of a settled promise.
  func checkOutcome(of record: Record) {
    guard let seen = record.seen else { return }
    if seen.isCancelledByRequest {
      if hasCauseToBeCancelled(record) { return }
      let hasReturnedAPromise = if case .promise? = record.handler?.answer { true } else { false }
      // Excluded: the Spec does not say whether a `tap` is cancelled with the promise that it waits for
      // (C4.4, H6.9).
      if record.step.isTap, hasReturnedAPromise { return }
      let clause = record.step == .finally && hasReturnedAPromise ? "C4.18" : "C5.1"
      fail(clause, "\(record.number) was cancelled, for no reason")
    } else if seen.text == broken, mayBreak || record.lostResolver || record.hasThenable {
      return  // L2.2, L2.7, X3.6
    } else if let expected = record.settledByHandWith {
      expect(expected, of: record, "A3.5")
    } else if record.isResolvedByHand || record.target != nil {
      return  // `checkFollower` checks this promise.
    } else if let parent = record.parent {
      if let outcome = parent.seen { checkOutcome(of: record, below: outcome) }
    } else if record.combinator != nil {
      checkCombination(record, seen)
    } else if let series = record.series, let allowed = outcomes(of: series, record),
      !allowed.contains(seen.text)
    {
      fail("K5", "the \(series) \(record.number) is \(seen.text), not one of \(allowed)")
    }
  }

  /// The possible outcomes of a series with plain inputs whose tasks gave plain answers. `nil` if they are
  /// not known.
  private func outcomes(of series: Series, _ record: Record) -> [String]? {
    var (values, reasons): ([String], [String]) = ([], [])
    guard record.hasPlainInputs || !series.hasInputs else { return nil }
    for answer in record.answers {
      guard let text = answer.text else { return nil }
      if text.hasPrefix("!") { reasons.append(text) } else { values.append(text) }
    }
    switch series {
    // K9.1, K9.5: the tasks run together, and end in any order.
    case .map, .mapCancellingRest:
      return reasons.isEmpty ? permutations(values).map { "[\($0.joined(separator: " "))]" } : reasons
    // K5.1, K5.4, K9.3
    case .mapInTurn, .sequence: return reasons.isEmpty ? ["[\(values.joined(separator: " "))]"] : [reasons[0]]
    // K6.1: the last value before `nil`.
    case .repeat:
      return reasons.isEmpty ? [values.count > 1 ? values[values.count - 2] : "nil"] : [reasons[0]]
    // K15.1, K15.2. An attempt whose job was dropped by its context (X3.6) has failed without an answer.
    case .retry where mayBreak: return nil
    case .retry: return values.isEmpty ? (reasons.count == 3 ? [reasons[2]] : []) : [values[0]]
    // The outcome is not known, because attempts may be given up.
    case .retryLater: return nil
    }
  }

  private func permutations(_ values: [String]) -> [[String]] {
    guard values.count > 1 else { return [values] }
    return values.indices.flatMap { index in
      var rest = values
      let first = rest.remove(at: index)
      return permutations(rest).map { [first] + $0 }
    }
  }

  /// K2, K3: a combinator settles as soon as its inputs decide the outcome.
  func checkDecided(_ record: Record) {
    guard let combinator = record.combinator, !record.isResolvedByHand else { return }
    let settled = record.inputs.compactMap(\.seen)
    let isComplete = settled.count == record.inputs.count
    let values = settled.filter(\.isFulfilled).count
    let reasons = settled.count - values
    let isDecided =
      switch combinator {
      case .all: isComplete || reasons > 0
      case .any: isComplete || values > 0
      case .race: !settled.isEmpty
      case .allSettled, .limited, .reflect: isComplete
      }
    if isDecided { fail("K2", "the \(combinator) \(record.number) is pending, though its inputs decide it") }
  }

  /// Checks that a series whose tasks gave plain answers has ended (K5.1, K9.1, K15.1). All contexts are
  /// empty.
  func checkEnded(_ record: Record) {
    guard let series = record.series, record.isPending, !record.isResolvedByHand, !mayBreak else { return }
    guard record.hasPlainInputs || !series.hasInputs, record.answers.allSatisfy({ $0.text != nil }) else {
      return
    }
    if contexts.values.contains(where: { $0.pendingTimers > 0 }) { return }
    fail("K5", "the \(series) \(record.number) is pending, and nothing of it is left to run")
  }

  var broken: String { text(.failure(PromiseError.broken)) }

  private func expect(_ text: String, of record: Record, _ clause: String) {
    if let seen = record.seen, seen.text != text {
      fail(clause, "\(record.number) is \(seen.text), not \(text)")
    }
  }

  /// Checks a child that was neither cancelled by request nor settled by hand.
  private func checkOutcome(of record: Record, below outcome: Seen) {
    // K7.1. Without a timeout, the promise is an ordinary child (K7.2).
    if record.step == .timeout, record.seen?.text == text(.failure(PromiseError.timeout)) { return }
    // C2.7
    if outcome.isCancelledByRequest {
      return fail("C2.7", "\(record.number) was not cancelled, though its parent was")
    }
    // 2.2.7.3, 2.2.7.4, H6.1, H6.8, C4.19, K7.14
    guard record.step.handles(fulfilled: outcome.isFulfilled) else {
      return expect(outcome.text, of: record, "2.2.7.3")
    }
    guard record.runs == 1 else {
      return fail("2.2.7.1", "\(record.number) has settled before its handler ran")
    }
    switch record.handler?.answer {
    // 2.2.7.2, A2.7, H6.3, H6.9
    case .thrown(let payload), .failure(let payload):
      // The returned value of a `finally` is ignored (H6.2).
      if record.step == .finally, case .failure? = record.handler?.answer { return }
      expect("!\(payload.number)", of: record, "2.2.7.2")
    // 2.2.7.1
    case .value(let payload) where record.step != .finally && !record.step.isTap:
      expect("\(payload.number)", of: record, "2.2.7.1")
    case .nothing where record.step != .finally && !record.step.isTap: expect("nil", of: record, "A2.9")
    // H6.2, H6.8
    case .value, .nothing: expect(outcome.text, of: record, "H6.2")
    default: break
    }
  }

  /// C5.1: a cancel does not affect the parent and the siblings. A promise is cancelled because it or an
  /// ancestor was cancelled, or because the promise that it follows was cancelled (C4.4). Another cause is a
  /// withdrawal from the promise, a descendant or an ancestor (C4.11).
  private func hasCauseToBeCancelled(_ record: Record) -> Bool {
    // C2. The cause of the parent's cancel is checked separately.
    if let parent = record.parent?.seen, parent.isCancelledByRequest { return true }
    for place in record.path {
      // A cancel of this ancestor, or above it, passes through settled promises (C3.2).
      if place !== record, place.promise?.isCancelled == true { return true }
      // C3.8: a withdrawal passes through an ancestor that was resolved by hand.
      if place !== record, place.isResolvedByHand, mayBeWithdrawnFrom(place) { return true }
      if place.mayBeCancelled || place.target.map({ $0.seen?.isCancelledByRequest != false }) == true {
        return true
      }
      // The ancestor was deallocated before it was seen.
      if place.promise == nil, place.seen == nil, mayBeWithdrawnFrom(place) { return true }
    }
    return mayBeWithdrawnFrom(record)
  }

  func mayBeWithdrawnFrom(_ record: Record) -> Bool {
    // A follower or collector of the promise was cancelled or decided, or may have been cancelled before it
    // was deallocated unseen.
    if all.contains(where: { other in
      other.seen == nil
        && (other.promise?.isCancelled != false || other.cancelling.rest && other.promise?.isSettled == true)
        && (other.target === record || other.inputs.contains { $0 === record })
    }) {
      return true
    }
    return record.wasWithdrawnFrom || record.cancelsWhenUnwanted || record.hasUnknownConsumers
      || record.hasThenable || !record.users.isEmpty
      || record.children.contains { mayBeWithdrawnFrom($0) }
  }

  /// K2
  private func checkCombination(_ record: Record, _ seen: Seen) {
    // K2.1, K2.4
    if seen.isFulfilled, record.combinator == .all || record.combinator == .allSettled,
      let input = record.inputs.first(where: \.isPending)
    {
      fail("K2.1", "\(record.number) is fulfilled, and its input \(input.number) is pending")
    }
    let inputs = record.inputs.compactMap(\.seen)
    guard inputs.count == record.inputs.count || record.combinator != .all else { return }
    let (values, reasons) = (
      inputs.filter(\.isFulfilled).map(\.text), inputs.filter { !$0.isFulfilled }.map(\.text)
    )
    let allowed: [String]
    switch record.combinator {
    case .all?: allowed = reasons.isEmpty ? ["[\(values.joined(separator: " "))]"] : reasons
    case .allSettled?: allowed = ["[\(inputs.map(\.text).joined(separator: " "))]"]
    case .any?:
      let all = reasons.map { $0.dropFirst() }.joined(separator: ", ")
      allowed = values.isEmpty ? ["!none of \(reasons.count) was fulfilled: [\(all)]"] : values
    case .race?: allowed = values + reasons
    case .limited?: allowed = values + reasons + [text(.failure(PromiseError.timeout))]
    case .reflect?: allowed = inputs.map(\.text)
    case nil: return
    }
    // The outcome is not known if an input was deallocated, or settled after it was last read.
    guard inputs.count == record.inputs.count else { return }
    if !allowed.contains(seen.text) { fail("K2", "\(record.number) is \(seen.text), not one of \(allowed)") }
  }
}
