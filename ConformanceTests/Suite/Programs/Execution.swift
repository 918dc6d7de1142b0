import Foundation

/// The objects that programs need: contexts, adapters on them, and another thread. The next program reuses
/// them.
final class Stage: Sendable {
  let lanes: [SteppedContext]
  let bridges: [Bridge]
  let crew = Crew()

  /// Returns `nil` if the implementation cannot run handlers on a given context.
  init?<A: PromiseAdapter>(_ adapter: A) {
    lanes = Lane.allCases.map { _ in SteppedContext() }
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

/// A value of a program.
final class ProgramValue: Sendable, CustomStringConvertible {
  let number: Int

  init(_ number: Int) { self.number = number }

  var description: String { "v\(number)" }
}

/// An error of a program.
final class ProgramError: Error, CustomStringConvertible {
  let number: Int

  init(_ number: Int) { self.number = number }

  var description: String { "e\(number)" }
}

/// Runs one program on an implementation, step by step, and compares the results with the model.
final class Execution: Sendable {
  /// More steps than any program needs, unless its jobs never end.
  static let mostSteps = 1_000
  let program: Program
  let stage: Stage
  private let lock = NSLock()
  nonisolated(unsafe) private var model: Model
  nonisolated(unsafe) private var promises: [Subject?]
  nonisolated(unsafe) private var pendings: [PendingSubject?]
  nonisolated(unsafe) private var lanes: [Lane]
  nonisolated(unsafe) var thenables: [Int: Any] = [:]
  /// The functions that thenables receive. They are retained, because some implementations settle a promise
  /// when its functions are released.
  nonisolated(unsafe) var functions: [@Sendable (Any) -> Void] = []
  nonisolated(unsafe) private var current = Lane.main
  nonisolated(unsafe) private(set) var violation: Violation?
  nonisolated(unsafe) private var taken: [Lane] = []

  init(_ program: Program, _ stage: Stage) {
    (self.program, self.stage) = (program, stage)
    // The `then` calls that observe outcomes also create promises. Those promises use the second half of the
    // numbers.
    model = Model(end: 2 * program.end)
    promises = Array(repeating: nil, count: program.end)
    pendings = Array(repeating: nil, count: program.end)
    lanes = Array(repeating: .a, count: program.end)
  }

  /// Runs the program. Returns the implementation's mistake, or `nil`.
  func run() -> Violation? {
    var scheduler = Scheduler(program.schedule)
    var next = 0
    while violation == nil, let lane = scheduler.next({ hasStep($0, next) }) {
      taken.append(lane)
      if lane == .main {
        perform(program.operations[next])
        next += 1
      } else {
        step(lane)
      }
      if scheduler.steps > Self.mostSteps { note(Violation("on(_:)", "jobs without end are scheduled")) }
    }
    observe()
    while violation == nil, let lane = scheduler.next({ hasStep($0, next) }) { step(lane) }
    if violation == nil { violation = model.omission() }
    for lane in stage.lanes { lane.removeAll() }
    return violation
  }

  /// The lanes of the steps, in order, for the printed program. Endless jobs are left out.
  var steps: [Lane] {
    taken.count < Self.mostSteps ? taken : Array(taken[...(taken.lastIndex(of: .main) ?? 0)])
  }

  private func hasStep(_ lane: Lane, _ next: Int) -> Bool {
    lane == .main ? next < program.operations.count : stage.lane(lane).hasJob
  }

  private func step(_ lane: Lane) {
    current = lane
    stage.lane(lane).step()
    current = .main
  }

  /// Adds handlers to all promises after the program has ended, to observe the outcomes.
  private func observe() {
    let nothing = Reaction(body: [], answer: .value(0))
    for number in promises.indices where promises[number] != nil && violation == nil {
      then(program.end + number, of: number, nothing, nothing)
    }
  }

  // MARK: Operations of the program

  private func perform(_ operation: Operation) {
    guard violation == nil else { return }
    switch operation {
    case .create(let number, let lane):
      let pending = stage.bridge(lane).pending()
      locked { model in
        model.create(number)
        (promises[number], pendings[number], lanes[number]) = (pending.promise, pending, lane)
      }
    case .then(let number, let parent, let onFulfilled, let onRejected):
      then(number, of: parent, onFulfilled, onRejected)
    case .settle(let number, let answer, let byResolve):
      if let pending = locked({ _ in pendings[number] }) { settle(number, pending, answer, byResolve) }
    }
  }

  private func then(_ number: Int, of parent: Int, _ onFulfilled: Reaction?, _ onRejected: Reaction?) {
    let found = locked { model -> (Subject, Lane)? in
      guard let subject = promises[parent] else { return nil }
      model.then(
        number, of: parent, handlesValue: onFulfilled != nil, handlesReason: onRejected != nil)
      return (subject, lanes[parent])
    }
    guard let (subject, lane) = found else { return }
    let child = stage.bridge(lane).then(
      subject, onFulfilled.map { handler($0, number, isFulfilled: true) },
      onRejected.map { handler($0, number, isFulfilled: false) })
    guard number < program.end else { return }
    locked { _ in (promises[number], lanes[number]) = (child, lane) }
  }

  private func settle(_ number: Int, _ pending: PendingSubject, _ answer: Answer, _ byResolve: Bool) {
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

  /// Returns the value that resolves a promise, and the model's name for that value. A plain value replaces a
  /// promise that does not exist.
  func made(_ answer: Answer) -> (Any, Model.Resolution) {
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
    let isOnForeignStack = HandlerFrame.isOnForeignStack
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
  func locked<R>(_ body: (inout Model) -> R) -> R { lock.withLock { body(&model) } }

  func note(_ violation: Violation) {
    lock.withLock { if self.violation == nil { self.violation = violation } }
  }

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

  func checked(_ body: (inout Model) throws(Violation) -> Void) throws {
    if !check(body) { throw ProgramError(0) }
  }
}
