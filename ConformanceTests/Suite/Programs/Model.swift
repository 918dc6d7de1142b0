/// The rules of Promises/A+ 1.1 for a program. The execution reports each event to the model, in order. The
/// model determines the required consequences and their clauses.
struct Model {
  /// The outcome of a promise. A cycle is a rejection whose reason the implementation chooses.
  enum Outcome: Equatable {
    case fulfilled(Int), rejected(Int), cycle

    var isFulfilled: Bool { if case .fulfilled = self { true } else { false } }

    var text: String {
      switch self {
      case .fulfilled(let value): "fulfilled with v\(value)"
      case .rejected(let reason): "rejected with e\(reason)"
      case .cycle: "rejected with the error for a cycle"
      }
    }
  }

  /// The argument with which a promise is resolved.
  enum Resolution { case value(Int), promise(Int), thenable(Int) }

  private enum State {
    case pending
    case settled(Outcome, clause: String)
    case follows(Int)
    case asks(Int)
  }

  /// The promise that `then` returns, and the handlers of that call.
  private struct Child {
    let parent: Int
    let handlesValue, handlesReason: Bool
    var hasRun = false

    func handles(_ isFulfilled: Bool) -> Bool { isFulfilled ? handlesValue : handlesReason }
  }

  private struct Asked {
    var owner: Int?
    var reads = 0, calls = 0
    var isFunction = false, hasAnswered = false
  }

  private var states: [State?]
  private var children: [Child?]
  private var thens: [[Int]]
  private var asked: [Asked]

  init(end: Int) {
    states = Array(repeating: nil, count: end)
    children = Array(repeating: nil, count: end)
    thens = Array(repeating: [], count: end)
    asked = Array(repeating: Asked(), count: end)
  }

  // MARK: Making and settling

  /// 2.1.1: a new promise is pending.
  mutating func create(_ promise: Int) { states[promise] = .pending }

  /// 2.2.7: `then` returns a promise.
  mutating func then(_ child: Int, of parent: Int, handlesValue: Bool, handlesReason: Bool) {
    states[child] = .pending
    children[child] = Child(parent: parent, handlesValue: handlesValue, handlesReason: handlesReason)
    thens[parent].append(child)
  }

  /// 2.1.2.1, 2.1.3.1, 2.3.3.3.3: the first settlement or resolution of a promise wins.
  mutating func settle(_ promise: Int, _ outcome: Outcome, clause: String) {
    guard case .pending? = states[promise] else { return }
    states[promise] = .settled(outcome, clause: clause)
  }

  /// 2.3, the resolution procedure, for the first resolution of a promise.
  mutating func resolve(_ promise: Int, with x: Resolution, clause: String) {
    guard case .pending? = states[promise] else { return }
    states[promise] =
      switch x {
      case .promise(promise): .settled(.cycle, clause: "2.3.1")
      case .promise(let other): .follows(other)  // 2.3.2
      case .thenable(let thenable): .asks(thenable)  // 2.3.3
      case .value(let value): .settled(.fulfilled(value), clause: clause)  // 2.3.4
      }
    if case .thenable(let thenable) = x { asked[thenable].owner = promise }
  }

  /// The outcome that a promise must have by now, with the clause; `nil` if it is pending. A promise in a
  /// ring of several counts as pending, because Promises/A+ does not cover such rings. `limit` is the
  /// maximum number of steps, because a walk along a ring would not end.
  func outcome(of promise: Int, within limit: Int? = nil) -> (outcome: Outcome, clause: String)? {
    var (promise, steps) = (promise, limit ?? states.count)
    var passed: (fulfilled: String, rejected: String)?
    while steps > 0 {
      steps -= 1
      switch states[promise] {
      case .settled(let outcome, let clause)?:
        return (outcome, passed.map { outcome.isFulfilled ? $0.fulfilled : $0.rejected } ?? clause)
      case .follows(let other)?:  // 2.3.2.1 to 2.3.2.3
        promise = other
        passed = passed ?? ("2.3.2.2", "2.3.2.3")
      case .pending?:
        guard let child = children[promise], !child.hasRun, !(child.handlesValue && child.handlesReason)
        else { return nil }
        guard child.handlesValue || child.handlesReason else {  // 2.2.7.3, 2.2.7.4
          promise = child.parent
          passed = passed ?? ("2.2.7.3", "2.2.7.4")
          continue
        }
        guard let above = outcome(of: child.parent, within: steps), !child.handles(above.outcome.isFulfilled)
        else {
          return nil
        }
        let last = passed ?? ("2.2.7.3", "2.2.7.4")
        return (above.outcome, above.outcome.isFulfilled ? last.fulfilled : last.rejected)
      case .asks?, nil: return nil
      }
    }
    return nil
  }

  /// Whether a promise waits for itself through other promises. An implementation may reject such a promise.
  func isInRing(_ promise: Int) -> Bool {
    var (promise, steps) = (promise, states.count)
    while steps > 0 {
      steps -= 1
      switch states[promise] {
      case .follows(let other)?: promise = other
      case .pending?:
        guard let child = children[promise], !child.hasRun else { return false }
        promise = child.parent
      default: return false
      }
    }
    return true
  }

  /// Records that the implementation has rejected a promise in a ring, and must now reject the whole ring.
  mutating func breakRing(of child: Int) {
    var promise = children[child]!.parent
    while case .follows(let other)? = states[promise] {
      states[promise] = .settled(.cycle, clause: "2.3.1")
      promise = other
    }
  }

  // MARK: Handlers

  /// Records that a handler of a `then` call begins. Returns the outcome that the handler must receive; `nil`
  /// in a ring.
  mutating func begins(_ child: Int, _ isFulfilled: Bool) throws(Violation) -> (
    outcome: Outcome, clause: String
  )? {
    let parent = children[child]!.parent
    let (once, due, order) =
      isFulfilled ? ("2.2.2.3", "2.2.2.2", "2.2.6.1") : ("2.2.3.3", "2.2.3.2", "2.2.6.2")
    if children[child]!.hasRun { throw Violation(once, "a second call of a handler of \(then(child))") }
    let found = outcome(of: parent)
    guard found != nil || !isFulfilled && isInRing(parent) else {
      throw Violation(due, "a handler of \(then(child)) is called although p\(parent) is pending")
    }
    if let found, found.outcome.isFulfilled != isFulfilled {
      let state = isFulfilled ? "rejected" : "fulfilled"
      throw Violation(
        found.clause, "the \(name(isFulfilled)) of \(then(child)) is called although p\(parent) is \(state)")
    }
    for earlier in thens[parent] where children[earlier]!.handles(isFulfilled) {
      if earlier == child { break }
      guard children[earlier]!.hasRun else {
        throw Violation(
          order, "\(name(isFulfilled)) of \(then(child)) is called before that of \(then(earlier))")
      }
    }
    children[child]!.hasRun = true
    return found
  }

  // MARK: Thenables

  /// 2.3.3.1: `then` is read once. If `then` is not a function, each promise that receives the thenable as
  /// its value may read `then` again (2.2.7.3, 2.3.2.2): Promises/A+ fulfills such a promise, but ECMAScript
  /// resolves it.
  mutating func reads(_ thenable: Int) throws(Violation) {
    asked[thenable].reads += 1
    guard asked[thenable].reads > 1 else { return }
    let takers = states.indices.count { promise in
      if case .follows(let other)? = states[promise] { return isValue(thenable, of: other) }
      guard let child = children[promise], !child.handlesValue else { return false }
      return isValue(thenable, of: child.parent)
    }
    if asked[thenable].reads > 1 + takers {
      throw Violation("2.3.3.1", "a second read of then of t\(thenable)")
    }
  }

  private func isValue(_ value: Int, of promise: Int) -> Bool {
    outcome(of: promise)?.outcome == .fulfilled(value)
  }

  /// 2.3.3.2: reading `then` throws an error.
  mutating func readThrows(_ thenable: Int, _ error: Int) {
    answer(thenable) { $0.settle($1, .rejected(error), clause: "2.3.3.2") }
  }

  /// 2.3.3.4: `then` is not a function.
  mutating func isNoFunction(_ thenable: Int) {
    answer(thenable) { $0.settle($1, .fulfilled(thenable), clause: "2.3.3.4") }
  }

  /// 2.3.3.3: `then` is called once.
  mutating func isFunction(_ thenable: Int) { asked[thenable].isFunction = true }

  mutating func calls(_ thenable: Int) throws(Violation) {
    asked[thenable].calls += 1
    if asked[thenable].calls > 1 { throw Violation("2.3.3.3", "a second call of then of t\(thenable)") }
  }

  /// 2.3.3.3.1: the thenable calls `resolvePromise`.
  mutating func resolves(_ thenable: Int, with y: Resolution) {
    answer(thenable) { $0.resolve($1, with: y, clause: "2.3.3.3.1") }
  }

  /// 2.3.3.3.2: the thenable calls `rejectPromise`.
  mutating func rejects(_ thenable: Int, _ error: Int) {
    answer(thenable) { $0.settle($1, .rejected(error), clause: "2.3.3.3.2") }
  }

  /// 2.3.3.3.4: `then` throws. The error counts only if neither function was called.
  mutating func throwsError(_ thenable: Int, _ error: Int) {
    answer(thenable) { $0.settle($1, .rejected(error), clause: "2.3.3.3.4.2") }
  }

  /// 2.3.3.3.3: only the first of a thenable's answers counts.
  private mutating func answer(_ thenable: Int, _ take: (inout Model, _ owner: Int) -> Void) {
    guard let owner = asked[thenable].owner, !asked[thenable].hasAnswered else { return }
    asked[thenable].hasAnswered = true
    states[owner] = .pending
    take(&self, owner)
  }

  // MARK: The end

  /// Returns an expected event that has not happened although no job is left.
  func omission() -> Violation? {
    for thenable in asked.indices where asked[thenable].owner != nil {
      if asked[thenable].reads == 0 { return Violation("2.3.3.1", "then of t\(thenable) is never read") }
      if asked[thenable].isFunction, asked[thenable].calls == 0 {
        return Violation("2.3.3.3", "then of t\(thenable) is never called")
      }
    }
    return states.indices.lazy.compactMap { omission(at: $0, isOwn: true) }.first
      ?? states.indices.lazy.compactMap { omission(at: $0, isOwn: false) }.first
  }

  /// Returns the missing call of a due handler. `isOwn` excludes a promise that follows another promise,
  /// because the followed promise may cause the mistake.
  private func omission(at promise: Int, isOwn: Bool) -> Violation? {
    if isOwn { guard case .settled? = states[promise] else { return nil } }
    guard let (outcome, clause) = outcome(of: promise) else { return nil }
    let due = thens[promise].filter { children[$0]!.handles(outcome.isFulfilled) }
    guard let lost = due.first(where: { !children[$0]!.hasRun }) else { return nil }
    if due.contains(where: { children[$0]!.hasRun }) {
      let name = name(outcome.isFulfilled)
      return Violation(
        outcome.isFulfilled ? "2.2.6.1" : "2.2.6.2", "the \(name) of \(then(lost)) is never called")
    }
    return Violation(clause, "no handler of p\(promise) is called, which has to be \(outcome.text)")
  }

  private func name(_ isFulfilled: Bool) -> String { isFulfilled ? "onFulfilled" : "onRejected" }

  func parent(of child: Int) -> Int { children[child]!.parent }

  /// The `then` call that returned a promise, in words.
  func then(_ child: Int) -> String {
    let parent = children[child]!.parent
    return isObserver(child) ? "a then of p\(parent) after the end" : "p\(child) = p\(parent).then"
  }

  /// Whether the execution added this handler after the program's end, to observe the outcome.
  private func isObserver(_ child: Int) -> Bool { child >= states.count / 2 }
}

/// A mistake of an implementation, and the clause that it violates.
struct Violation: Error, Equatable {
  /// The violated clause; see ``ProgramFailure/clause``.
  let clause: String
  let message: String

  init(_ clause: String, _ message: String) { (self.clause, self.message) = (clause, message) }

  static let hang = Violation("2.2", "a call into the implementation does not return")
}
