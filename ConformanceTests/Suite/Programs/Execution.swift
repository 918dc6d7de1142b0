import Foundation

/// The objects that programs need: contexts, adapters on them, and another thread. The next program reuses
/// them.
final class Stage: Sendable {
  let lanes: [SteppedContext]
  let bridges: [Bridge]
  let crew = Crew()

  /// Returns `nil` if the implementation cannot run handlers on a given context.
  init?<A: PromiseAdapter>(_ adapter: A, threads: Int = 1) {
    lanes = Lane.allCases.map { _ in SteppedContext(pauses: threads > 1) }
    var bridges: [Bridge] = []
    for lane in lanes {
      guard let onLane = adapter.on(adapter.hasOneContext ? lanes[Lane.a.rawValue] : lane) else { return nil }
      bridges.append(Bridge(onLane))
    }
    self.bridges = bridges
  }

  func lane(_ lane: Lane) -> SteppedContext { lanes[lane.rawValue] }
  func bridge(_ lane: Lane) -> Bridge { bridges[lane.rawValue] }
}

/// Runs one program on an implementation in the order of its schedule, and compares it with the model
/// meanwhile. After the first mistake of the implementation, all operations do nothing.
final class Execution: Sendable {
  /// More steps than any program needs, unless its jobs never end.
  static let mostSteps = 1_000
  fileprivate let program: Program
  private let stage: Stage
  private let lock = NSLock()
  nonisolated(unsafe) private var model: Model
  nonisolated(unsafe) private var promises: [Int: Subject] = [:]
  nonisolated(unsafe) private var pendings: [Int: PendingSubject] = [:]
  nonisolated(unsafe) private var lanes: [Lane]
  nonisolated(unsafe) private var thenables: [Int: Any] = [:]
  /// The functions that thenables receive. They are retained, because some implementations settle a promise
  /// when its functions are released.
  nonisolated(unsafe) private var functions: [@Sendable (Any) -> Void] = []
  nonisolated(unsafe) private var current = Lane.main
  nonisolated(unsafe) private var taken: [Lane] = []
  nonisolated(unsafe) private var jobs = 0
  nonisolated(unsafe) private var violation: Violation?

  init(_ program: Program, _ stage: Stage) {
    (self.program, self.stage) = (program, stage)
    // The second half of the numbers is for the promises of the `then` calls that observe outcomes.
    model = Model(end: 2 * program.end)
    lanes = Array(repeating: .a, count: program.end)
  }

  /// Runs the program. Returns the implementation's mistake, or `nil`.
  func run() -> Violation? {
    var scheduler = Scheduler(program.schedule)
    var rest = program.operations[...]
    while violation == nil, let lane = scheduler.next({ $0 == .main ? !rest.isEmpty : stage.lane($0).hasJob })
    {
      taken.append(lane)
      if lane == .main { perform(rest.removeFirst()) } else { step(lane) }
    }
    drain()
    // Adds handlers to all promises, to observe the outcomes.
    let nothing = Reaction(body: [], answer: .value(0))
    for number in promises.keys.sorted() { then(program.end + number, of: number, nothing, nothing) }
    drain()
    if violation == nil { violation = model.omission() }
    for lane in stage.lanes { lane.removeAll() }
    // Breaks the cycles: handlers, thenables and functions retain this execution.
    let released = locked { _ in
      defer { (promises, pendings, thenables, functions) = ([:], [:], [:], []) }
      return (promises, pendings, thenables, functions)
    }
    withExtendedLifetime(released) {}
    return violation
  }

  /// The lanes of the steps, in order, for the printed program. Endless jobs are left out.
  var steps: [Lane] {
    taken.count < Self.mostSteps ? taken : Array(taken[...(taken.lastIndex(of: .main) ?? 0)])
  }

  private func drain() {
    while violation == nil, let lane = Lane.allCases.first(where: { stage.lane($0).hasJob }) { step(lane) }
  }

  private func step(_ lane: Lane) {
    current = lane
    if stage.lane(lane).step() { jobs += 1 }
    current = .main
    guard jobs > Self.mostSteps else { return }
    _ = check { _ throws(Violation) in throw Violation("on(_:)", "jobs without end are scheduled") }
  }

  // MARK: Operations

  private func perform(_ operation: Operation) {
    guard violation == nil else { return }
    switch operation {
    case .create(let number, let lane):
      let pending = stage.bridge(lane).pending()
      locked { model in
        model.create(number)
        (promises[number], pendings[number], lanes[number]) = (pending.promise, pending, lane)
      }
    case .then(let child, let parent, let onFulfilled, let onRejected):
      then(child, of: parent, onFulfilled, onRejected)
    case .settle(let number, let answer, let byResolve):
      guard let pending = locked({ _ in pendings[number] }) else { return }
      switch answer {
      case .error(let error):
        locked { $0.settle(number, .rejected(error), clause: "2.1.3.1") }
        pending.reject(ProgramError(error))
      case .value(let value) where !byResolve:
        locked { $0.settle(number, .fulfilled(value), clause: "2.1.2.1") }
        pending.fulfill(ProgramValue(value))
      default:
        let (x, resolution) = made(answer)
        locked { $0.resolve(number, with: resolution, clause: "2.3.4") }
        pending.resolve(x)
      }
    }
  }

  private func then(_ child: Int, of parent: Int, _ onFulfilled: Reaction?, _ onRejected: Reaction?) {
    guard violation == nil else { return }
    let found = locked { model -> (Subject, Lane)? in
      guard let subject = promises[parent] else { return nil }
      model.then(child, of: parent, handlesValue: onFulfilled != nil, handlesReason: onRejected != nil)
      return (subject, lanes[parent])
    }
    guard let (subject, lane) = found else { return }
    let made = stage.bridge(lane).then(
      subject, onFulfilled.map { handler($0, child, isFulfilled: true) },
      onRejected.map { handler($0, child, isFulfilled: false) })
    guard child < program.end else { return }
    locked { _ in (promises[child], lanes[child]) = (made, lane) }
  }

  /// Returns the implementation's view and the model's name of an answer that resolves a promise. A promise
  /// that does not exist counts as a value.
  private func made(_ answer: Answer) -> (Any, Model.Resolution) {
    switch answer {
    case .value(let number), .error(let number): return (ProgramValue(number), .value(number))
    case .promise(let number):
      guard let subject = locked({ _ in promises[number] }) else {
        return (ProgramValue(number), .value(number))
      }
      return (subject, .promise(number))
    case .thenable(let foreign): return (thenable(foreign), .thenable(foreign.number))
    }
  }

  private func thenable(_ foreign: Foreign) -> Any {
    let number = foreign.number
    let raw = stage.bridges[0].makeThenable(
      ThenableSource(foreign.shape) { [self] in
        try checked { (model) throws(Violation) in try model.reads(number) }
        locked { model in
          switch foreign.getter {
          case .throwing(let error): model.readThrows(number, error)
          case .notAFunction: model.isNoFunction(number)
          case .function: model.isFunction(number)
          }
        }
        return try foreign.then(method(foreign))
      })
    locked { _ in thenables[number] = raw }
    return raw
  }

  private func method(_ foreign: Foreign) -> ThenFunction {
    { [self] resolvePromise, rejectPromise in
      try checked { (model) throws(Violation) in
        try model.calls(foreign.number)
        functions += [resolvePromise, rejectPromise]
      }
      for call in foreign.calls {
        let perform: @Sendable () -> Void = { [self] in
          guard violation == nil else { return }
          if case .error(let error) = call.answer {
            locked { $0.rejects(foreign.number, error) }
            return rejectPromise(ProgramError(error))
          }
          let (y, resolution) = made(call.answer)
          locked { $0.resolves(foreign.number, with: resolution) }
          resolvePromise(y)
        }
        switch call.when {
        case .now: perform()
        case .late: stage.lane(.outside).enqueue(perform)
        case .elsewhere:
          guard !stage.crew.run(until: Date(timeIntervalSinceNow: 10), perform) else { break }
          try checked { _ throws(Violation) in
            throw Violation("2.3.3.3", "a thenable's call on another thread does not return")
          }
        }
      }
      if let error = foreign.thrown {
        locked { $0.throwsError(foreign.number, error) }
        throw ProgramError(error)
      }
    }
  }

  // MARK: Calls by the implementation

  private func handler(_ reaction: Reaction, _ child: Int, isFulfilled: Bool) -> Handler {
    { [self] argument in
      guard begins(child, isFulfilled, argument) else { return ProgramValue(0) }
      for operation in reaction.body { perform(operation) }
      if case .error(let error) = reaction.answer {
        locked { $0.settle(child, .rejected(error), clause: "2.2.7.2") }
        throw ProgramError(error)
      }
      let (x, resolution) = made(reaction.answer)
      locked { $0.resolve(child, with: resolution, clause: "2.2.7.1") }
      return x
    }
  }

  /// Checks whether the handler may run.
  private func begins(_ child: Int, _ isFulfilled: Bool, _ argument: Any) -> Bool {
    let isOnForeignStack = ThreadLocal.isOnForeignStack
    return check { (model) throws(Violation) in
      let name = isFulfilled ? "onFulfilled" : "onRejected"
      if isOnForeignStack {
        throw Violation("2.2.4", "the \(name) of \(model.then(child)) runs on the stack of a call")
      }
      if current != lanes[model.parent(of: child)] {
        throw Violation("on(_:)", "the \(name) of \(model.then(child)) does not run on its context")
      }
      let due = try model.begins(child, isFulfilled)
      guard !matches(argument, due?.outcome ?? .cycle) else {
        if due == nil { model.breakRing(of: child) }
        return
      }
      throw Violation(
        due?.clause ?? "2.3.1",
        "the \(name) of \(model.then(child)) gets \(describe(argument)), but the promise is "
          + (due?.outcome ?? .cycle).text)
    }
  }

  private func matches(_ argument: Any, _ outcome: Model.Outcome) -> Bool {
    switch outcome {
    case .fulfilled(let number):
      if let value = argument as? ProgramValue { return value.number == number }
      return thenables[number].map { isSame(argument, $0) } ?? false
    case .rejected(let number): return (argument as? ProgramError)?.number == number
    case .cycle: return !(argument is ProgramError) && stage.bridges[0].isCycleError(argument)
    }
  }

  // MARK: The model

  @discardableResult
  private func locked<R>(_ body: (inout Model) -> R) -> R { lock.withLock { body(&model) } }

  /// Checks an event against the model. Returns whether it is allowed. Only the first violation is kept.
  private func check(_ body: (inout Model) throws(Violation) -> Void) -> Bool {
    lock.withLock {
      guard violation == nil else { return false }
      do throws(Violation) {
        try body(&model)
        return true
      } catch {
        violation = error
        return false
      }
    }
  }

  private func checked(_ body: (inout Model) throws(Violation) -> Void) throws {
    if !check(body) { throw ProgramError(0) }
  }
}

extension ProgramRun {
  /// Runs the program of a seed. Returns the number of its steps and their bound. For the suite's own tests.
  package static func steps(of seed: UInt64, for adapter: some PromiseAdapter) -> (taken: Int, bound: Int)? {
    guard let stage = Stage(adapter) else { return nil }
    defer { stage.crew.dismiss() }
    let execution = Execution(ProgramGenerator.program(seed: seed, for: adapter), stage)
    _ = execution.run()
    return (execution.steps.count, execution.program.stepBound)
  }
}
