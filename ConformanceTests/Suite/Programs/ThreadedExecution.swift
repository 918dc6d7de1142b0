import Foundation

/// Runs one program on an implementation with several threads.
///
/// The threads share the operations, and each context has a thread that runs its jobs. Only rules that hold
/// in any order are checked, because the order of the steps is unknown. ``Execution`` checks more rules.
///
/// The threads begin the operations of a round together. Between that moment and the calls they take no lock
/// of the suite, because a lock would order the calls, and Thread Sanitizer would miss their races.
final class ThreadedExecution: Sendable {
  private let program: Program
  private let stage: Stage
  private let lock = NSLock()
  nonisolated(unsafe) private var model = ThreadModel()

  init(_ program: Program, _ stage: Stage) { (self.program, self.stage) = (program, stage) }

  /// Runs the program on `threads` threads. Returns the implementation's mistake, or `nil`.
  func run(threads: Int, until deadline: Date) -> Violation? {
    for operation in program.operations where operation.subject == nil { prepared(operation)?() }
    let rounds = program.rounds(threads)
    let (starts, ends) = (rounds.map { _ in Counter() }, rounds.map { _ in Counter() })
    let left = Counter()
    let actors = (0..<threads).map { thread in
      { @Sendable [self] in
        for (round, operations) in rounds.enumerated() {
          let call = thread < operations.count ? prepared(operations[thread]) : nil
          starts[round].increment()
          starts[round].wait(for: threads)
          call?()
          ends[round].increment()
          ends[round].wait(for: threads)
        }
        left.increment()
      }
    }
    let steppers = [Lane.a, .b, .outside].map { lane in
      { @Sendable [self] in
        while left.value < threads { if !step(lane) { usleep(20) } }
      }
    }
    guard stage.crew.together(actors + steppers, until: deadline) else {
      // Stops the other threads.
      for counter in starts + ends + [left] { for _ in 0..<threads { counter.increment() } }
      return .hang
    }
    drain()
    observe()
    drain()
    return lock.withLock {
      if model.violation == nil { model.judge() }
      return model.violation
    }
  }

  private func step(_ lane: Lane) -> Bool {
    ThreadLocal.lane.value = lane.rawValue
    defer { ThreadLocal.lane.value = 0 }
    return stage.lane(lane).step()
  }

  private func drain() {
    var steps = 0
    while [Lane.a, .b, .outside].contains(where: step) {
      steps += 1
      if steps > Execution.mostSteps {
        lock.withLock { model.fail("on(_:)", "jobs without end are scheduled") }
        break
      }
    }
  }

  /// Adds handlers to all promises, to observe the outcomes.
  private func observe() {
    let numbers = lock.withLock { model.promises.keys.sorted() }
    let nothing = Reaction(body: [], answer: .value(0))
    for number in numbers { then(program.end + number, of: number, nothing, nothing)?() }
  }

  // MARK: Operations of the program

  /// Returns the call of an operation; `nil` if its promise does not exist.
  private func prepared(_ operation: Operation) -> (() -> Void)? {
    switch operation {
    case .create(let number, let lane):
      return { [self] in
        let pending = stage.bridge(lane).pending()
        lock.withLock {
          model.promises[number] = (pending.promise, lane)
          model.pendings[number] = pending
        }
      }
    case .then(let number, let parent, let onFulfilled, let onRejected):
      return then(number, of: parent, onFulfilled, onRejected)
    case .settle(let number, let answer, let byResolve):
      guard let pending = lock.withLock({ model.pendings[number] }) else { return nil }
      let x: Any = if case .error(let error) = answer { ProgramError(error) } else { made(answer) }
      let attempt = lock.withLock { model.attempt(number, answer) }
      return { [self] in
        switch answer {
        case .error: pending.reject(x)
        case .value where !byResolve: pending.fulfill(x)
        default: pending.resolve(x)
        }
        lock.withLock { model.attempts[number]![attempt].returned = model.tick() }
      }
    }
  }

  private func then(
    _ number: Int, of parent: Int, _ onFulfilled: Reaction?, _ onRejected: Reaction?
  ) -> (() -> Void)? {
    let found = lock.withLock { () -> (subject: Subject, lane: Lane)? in
      guard let found = model.promises[parent] else { return nil }
      model.registrations[number] = ThreadModel.Registration(
        child: number, parent: parent, handlesValue: onFulfilled != nil, handlesReason: onRejected != nil,
        started: model.tick())
      return found
    }
    guard let found else { return nil }
    return { [self] in
      let child = stage.bridge(found.lane).then(
        found.subject, onFulfilled.map { handler($0, number, isFulfilled: true) },
        onRejected.map { handler($0, number, isFulfilled: false) })
      lock.withLock {
        model.registrations[number]!.returned = model.tick()
        if number < program.end { model.promises[number] = (child, found.lane) }
      }
    }
  }

  /// Returns the value that resolves a promise. A plain value replaces a promise that does not exist.
  private func made(_ answer: Answer) -> Any {
    switch answer {
    case .value(let number), .error(let number): ProgramValue(number)
    case .promise(let number): lock.withLock { model.promises[number]?.subject } ?? ProgramValue(number)
    case .thenable(let foreign): thenable(foreign)
    }
  }

  private func handler(_ reaction: Reaction, _ child: Int, isFulfilled: Bool) -> Handler {
    { [self] argument in
      begins(child, isFulfilled, argument, isOnForeignStack: ThreadLocal.isOnForeignStack)
      for operation in reaction.body { prepared(operation)?() }
      _ = lock.withLock { model.attempt(child, reaction.answer) }
      if case .error(let error) = reaction.answer { throw ProgramError(error) }
      return made(reaction.answer)
    }
  }

  private func thenable(_ foreign: Foreign) -> Any {
    let number = foreign.number
    let x = stage.bridges[0].makeThenable(
      ThenableSource(foreign.shape) { [self] in
        // ECMAScript may read a `then` that is not a function again; see `Model.reads`.
        if foreign.getter != .notAFunction {
          note("2.3.3.1", "a second read of then of t\(number)", \.reads, number)
        }
        return try foreign.then { [self] resolve, reject in
          note("2.3.3.3", "a second call of then of t\(number)", \.calls, number)
          lock.withLock { model.functions += [resolve, reject] }
          try foreign.call(resolve, reject, value: made) { when, call in
            if when == .now { call() } else { stage.lane(.outside).enqueue(call) }
          }
        }
      })
    lock.withLock { model.thenables[number] = x }
    return x
  }

  private func note(
    _ clause: String, _ message: String, _ counts: WritableKeyPath<ThreadModel, [Int: Int]>, _ number: Int
  ) {
    lock.withLock {
      model[keyPath: counts][number, default: 0] += 1
      if model[keyPath: counts][number]! > 1 { model.fail(clause, message) }
    }
  }

  /// Checks 2.2.4 (stack), the context, and the argument (2.2.2.1, 2.2.3.1). The model checks the other
  /// rules.
  private func begins(_ child: Int, _ isFulfilled: Bool, _ argument: Any, isOnForeignStack: Bool) {
    lock.withLock {
      let (promise, lane) = (model.registrations[child]!.parent, ThreadLocal.lane.value)
      let name = "a handler of p\(promise)"
      if isOnForeignStack { model.fail("2.2.4", "\(name) runs on the stack of a call") }
      if lane != model.promises[promise]!.lane.rawValue {
        model.fail("on(_:)", "\(name) does not run on its context")
      }
      if let outcome = outcome(argument, isFulfilled) {
        model.begins(child, isFulfilled, outcome)
      } else {
        model.fail(isFulfilled ? "2.2.2.1" : "2.2.3.1", "\(name) gets \(describe(argument))")
      }
    }
  }

  private func outcome(_ argument: Any, _ isFulfilled: Bool) -> Model.Outcome? {
    if isFulfilled {
      if let value = argument as? ProgramValue { return .fulfilled(value.number) }
      return model.thenables.first { isSame(argument, $0.value) }.map { .fulfilled($0.key) }
    }
    if let error = argument as? ProgramError { return .rejected(error.number) }
    return stage.bridges[0].isCycleError(argument) ? .cycle : nil
  }
}

extension Program {
  /// The operations of this program on existing promises, in rounds of at most `threads` operations.
  ///
  /// A round does not use a promise that it makes. Half of the programs keep the order of their operations.
  /// In the others, operations on one promise are moved together, so that they often share a round.
  fileprivate func rounds(_ threads: Int) -> [[Operation]] {
    var rest = operations.filter { $0.subject != nil }
    // Parents still come before their children, because their numbers are lower.
    if seed.isMultiple(of: 2) { rest.sort { $0.subject! < $1.subject! } }
    var rounds: [[Operation]] = []
    for operation in rest {
      let last = rounds.last ?? []
      if 1..<threads ~= last.count, !last.contains(where: { $0.made == operation.subject }) {
        rounds[rounds.count - 1].append(operation)
      } else {
        rounds.append([operation])
      }
    }
    return rounds
  }
}

extension Operation {
  /// The existing promise on which an operation is called.
  fileprivate var subject: Int? {
    switch self {
    case .create: nil
    case .then(_, let parent, _, _): parent
    case .settle(let number, _, _): number
    }
  }

  /// The promise that `then` returns.
  fileprivate var made: Int? { if case .then(let number, _, _, _) = self { number } else { nil } }
}
