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

/// Runs one program on an implementation in the order of its schedule.
final class Execution {
  /// More steps than any program needs, unless its jobs never end.
  static let mostSteps = 1_000
  fileprivate let program: Program
  private let check: CheckedProgram
  private var taken: [Lane] = []

  init(_ program: Program, _ stage: Stage) {
    (self.program, check) = (program, CheckedProgram(stage, end: program.end))
  }

  /// Runs the program. Returns the implementation's mistake, or `nil`.
  func run() -> Violation? {
    var scheduler = Scheduler(program.schedule)
    var rest = program.operations[...]
    while check.violation == nil,
      let lane = scheduler.next({ $0 == .main ? !rest.isEmpty : check.hasJob($0) })
    {
      taken.append(lane)
      if lane == .main { check.perform(rest.removeFirst()) } else { check.step(lane) }
    }
    return check.finish()
  }

  /// The lanes of the steps, in order, for the printed program. Endless jobs are left out.
  var steps: [Lane] {
    taken.count < Self.mostSteps ? taken : Array(taken[...(taken.lastIndex(of: .main) ?? 0)])
  }
}

/// The printed program makes the same calls; see ``ProgramSource``.
extension CheckedProgram {
  fileprivate func perform(_ operation: Operation) {
    switch operation {
    case .create(let number, let lane): promise(number).create(on: lane)
    case .then(let child, let parent, let onFulfilled, let onRejected):
      promise(parent).then(as: promise(child), onFulfilled.map(handler), onRejected.map(handler))
    case .settle(let number, .error(let error), _): promise(number).reject(ProgramError(error))
    case .settle(let number, .value(let value), byResolve: false):
      promise(number).fulfill(ProgramValue(value))
    case .settle(let number, let answer, _): promise(number).resolve(value(answer))
    }
  }

  private func handler(_ reaction: Reaction) -> Handler {
    { [self] _ in
      for operation in reaction.body { perform(operation) }
      if case .error(let error) = reaction.answer { throw ProgramError(error) }
      return value(reaction.answer)
    }
  }

  private func value(_ answer: Answer) -> Any {
    switch answer {
    case .value(let number), .error(let number): ProgramValue(number)
    case .promise(let number): promise(number)
    case .thenable(let foreign): thenable(foreign)
    }
  }

  private func thenable(_ foreign: Foreign) -> Any {
    thenable(foreign.number, foreign.shape) { [self] in
      try foreign.then { [self] resolvePromise, rejectPromise in
        try foreign.call(resolvePromise, rejectPromise, value: value) { [self] when, call in
          switch when {
          case .now: call()
          case .late: later(call)
          case .elsewhere: elsewhere(call)
          }
        }
      }
    }
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
