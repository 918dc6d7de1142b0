/// The rules that hold for a program in any order of its steps. Several threads report events to the model.
/// The order of two events is known only if one of them ended before the other began.
struct ThreadModel {
  typealias Outcome = Model.Outcome

  /// A call of `then`. `started`, `returned` and `begun` are ticks of a clock that counts events.
  struct Registration {
    let child, parent: Int
    let handlesValue, handlesReason: Bool
    let started: Int
    var returned: Int?
    var begun: Int?

    func handles(_ isFulfilled: Bool) -> Bool { isFulfilled ? handlesValue : handlesReason }
  }

  /// A call that settles a promise, or a handler's result. `started` and `returned` are ticks of the clock.
  struct Attempt {
    let answer: Answer
    let started: Int
    var returned: Int?
  }

  var promises: [Int: (subject: Subject, lane: Lane)] = [:]
  var pendings: [Int: PendingSubject] = [:]
  var registrations: [Int: Registration] = [:]
  var attempts: [Int: [Attempt]] = [:]
  /// The outcomes that handlers have seen.
  var outcomes: [Int: Outcome] = [:]
  var thenables: [Int: Any] = [:]
  var reads: [Int: Int] = [:]
  var calls: [Int: Int] = [:]
  var functions: [@Sendable (Any) -> Void] = []
  var clock = 0
  var violation: Violation?

  mutating func tick() -> Int {
    clock += 1
    return clock
  }

  /// Records that a promise is about to be settled. Returns the index of the attempt.
  mutating func attempt(_ promise: Int, _ answer: Answer) -> Int {
    attempts[promise, default: []].append(Attempt(answer: answer, started: tick()))
    return attempts[promise]!.count - 1
  }

  mutating func fail(_ clause: String, _ message: String) {
    if violation == nil { violation = Violation(clause, message) }
  }

  // MARK: The rules

  /// Records that a handler begins. Checks that the handler runs once (2.2.2.3, 2.2.3.3), that its promise
  /// has only one outcome (2.1.2, 2.1.3), and the order of handlers (2.2.6).
  mutating func begins(_ child: Int, _ isFulfilled: Bool, _ outcome: Outcome) {
    let registration = registrations[child]!
    let parent = registration.parent
    let name = "a handler of p\(parent)"
    if registration.begun != nil { fail(isFulfilled ? "2.2.2.3" : "2.2.3.3", "\(name) is called twice") }
    if let earlier = outcomes[parent], earlier != outcome {
      let clause = earlier.isFulfilled ? "2.1.2.1" : "2.1.3.1"
      fail(clause, "p\(parent) is \(earlier.text) for a handler, then \(outcome.text)")
    }
    outcomes[parent] = outcome
    for other in registrations.values where other.parent == parent && other.handles(isFulfilled) {
      if let returned = other.returned, returned < registration.started, other.begun == nil {
        fail(isFulfilled ? "2.2.6.1" : "2.2.6.2", "\(name) is called before one that was added before it")
      }
    }
    registrations[child]!.begun = tick()
  }

  /// Checks the end: each due promise is settled, each due handler has run, and each outcome has a cause.
  mutating func judge() {
    for (number, _) in promises.sorted(by: { $0.key < $1.key }) {
      guard let outcome = outcomes[number] else {
        if isDue(number) { fail("2.2.2.1", "no handler of p\(number) is called, which was settled") }
        continue
      }
      for registration in registrations.values
      where registration.parent == number && registration.handles(outcome.isFulfilled) {
        guard registration.begun == nil else { continue }
        fail(outcome.isFulfilled ? "2.2.2.1" : "2.2.3.1", "a handler of p\(number) is never called")
      }
      guard outcome != .cycle else { continue }
      if !isExplained(number, outcome, by: attempts[number]?.map(\.answer) ?? []) {
        fail("2.3", "p\(number) is \(outcome.text), which nothing has settled it with")
      } else if !isExplained(number, outcome, by: firstAnswers(number)) {
        let clause = outcome.isFulfilled ? "2.1.2.1" : "2.1.3.1"
        fail(clause, "p\(number) is \(outcome.text), although an earlier call had settled it")
      }
    }
  }

  /// Whether a promise must be settled, no matter which attempt came first.
  private func isDue(_ number: Int) -> Bool {
    if let registration = registrations[number], let above = outcomes[registration.parent],
      !registration.handles(above.isFulfilled)
    {
      return true
    }
    let answers = firstAnswers(number)
    return !answers.isEmpty && answers.allSatisfy { settles($0, number) }
  }

  /// The answers of the attempts that may have been first: none of them began after another had returned.
  private func firstAnswers(_ number: Int) -> [Answer] {
    let attempts = attempts[number] ?? []
    let end = attempts.compactMap(\.returned).min() ?? .max
    return attempts.filter { $0.started < end }.map(\.answer)
  }

  private func settles(_ answer: Answer, _ promise: Int) -> Bool {
    switch answer {
    case .value, .error: return true
    case .promise(let other):
      return other == promise || promises[other] == nil || outcomes[other] != nil
    case .thenable(let foreign):
      guard foreign.getter == .function else { return true }
      return (!foreign.calls.isEmpty || foreign.thrown != nil)
        && foreign.calls.allSatisfy { settles($0.answer, promise) }
    }
  }

  /// Whether a promise can have this outcome if one of these answers settles it.
  private func isExplained(_ number: Int, _ outcome: Outcome, by answers: [Answer]) -> Bool {
    if let registration = registrations[number] {
      guard let above = outcomes[registration.parent] else { return false }
      if !registration.handles(above.isFulfilled) { return above == outcome }
    }
    return answers.contains { leads($0, to: outcome) }
  }

  private func leads(_ answer: Answer, to outcome: Outcome) -> Bool {
    switch answer {
    case .value(let value): return outcome == .fulfilled(value)
    case .error(let error): return outcome == .rejected(error)
    case .promise(let other): return outcomes[other] == outcome || outcome == .fulfilled(other)
    case .thenable(let foreign):
      switch foreign.getter {
      case .throwing(let error): return outcome == .rejected(error)
      case .notAFunction: return outcome == .fulfilled(foreign.number)
      case .function:
        return foreign.calls.contains { leads($0.answer, to: outcome) }
          || foreign.thrown.map { outcome == .rejected($0) } ?? false
      }
    }
  }
}
