// Runs a program on the library.

import DynamicPromise
import DynamicPromiseTesting
import Foundation

/// The state of a running program: promises, contexts, and records of what has been seen.
final class World: @unchecked Sendable {
  /// A piece of user code on the stack.
  enum Frame: Equatable { case step(Place), handler(Int), hook, observer, `deinit`, other }

  let contexts: [Place: TestContext] = [.a: TestContext(), .b: TestContext()]
  /// The queues of programs on threads.
  let queues: [Place: DispatchQueue] = [
    .serial: DispatchQueue(label: "serial"), .concurrent: DispatchQueue(label: "c", attributes: .concurrent),
  ]
  /// The lock around this object's state, in programs on threads.
  let lock = NSLock()
  /// How many seconds the work on other threads may take; `nil` if there are no other threads.
  let patience: Double?
  var isThreaded: Bool { patience != nil }
  /// The state of the only thread, unless the program runs on several.
  private let only = Lane()
  /// The promises that the program retains.
  var promises: [Int: Promise] = [:]
  var resolvers: [Int: Resolver] = [:]
  var records: [Int: Record] = [:]
  /// All records, in the order in which they were made.
  var all: [Record] = []
  /// The number of checks so far. `jobs` is the number of jobs that have run.
  var steps = 0
  var jobs = 0
  /// How often each reason of a lost rejection was reported.
  var lost: [String: Int] = [:]
  /// The operations for the next lost rejection.
  var whenLost: [Operation] = []
  var bags: [Int: CancelBag] = [:]
  var sequences: [Int: (results: Promise.Results, inputs: [Record])] = [:]
  /// The cancels of the current operation: the promise, and the number of promises at that moment.
  var cancels: [(record: Record, age: Int)] = []
  /// The number of performed operations.
  var performed = 0
  /// Handlers may run with the reason of an earlier cancel or withdrawal (C4.11).
  var mayWithdraw = false
  var violation: Violation?
  /// Whether the violation stays one, whatever the other threads do.
  var isFatal = false
  var tokens = 0
  /// The operations that were performed after the last operation of the program.
  var ending: [Operation] = []
  var isOver = false
  /// Promises wait for each other in a ring, so they are never finished (K17.11).
  var hasRing = false
  /// A context has dropped jobs (X3.6).
  var mayBreak = false

  /// The number of tasks that wait for a promise.
  var readers = 0
  /// The lane that steps each context. Only one thread at a time steps a context.
  var steppers: [Place: (lane: Lane, depth: Int)] = [:]
  /// Orders registrations: it counts when one begins and when one ends.
  var clock = 0
  /// How often a thread has entered the lock.
  var entries = 0

  init(patience: Double?) { self.patience = patience }

  /// What the current thread does.
  var lane: Lane { isThreaded ? Lane.current : only }

  var frames: [Frame] {
    get { lane.frames }
    set { lane.frames = newValue }
  }

  func fail(_ clause: String, _ text: String) {
    let isFatal = !isThreaded || !lane.isChecking
    guard violation == nil || isFatal && !self.isFatal else { return }
    violation = Violation(clause: clause, text: text)
    self.isFatal = isFatal
  }

  func perform(_ operations: [Operation], in frame: Frame) {
    guard !operations.isEmpty else { return }
    inside {
      guard !isOver else { return }
      frames.append(frame)
      for operation in operations { perform(operation) }
      frames.removeLast()
    }
  }

  func perform(_ operation: Operation) {
    guard !isOver, violation == nil else { return }
    performed += 1
    switch operation {
    case .root(let number, let place): makeRoot(number, place)
    case .child(let number, let parent, let step, let place, let handler):
      makeChild(number, parent, step, place, handler)
    case .many(let number, let count, let place, let shape, let step, let context):
      makeMany(number, count, place, shape, step, context)
    case .nested(let depth, let body): nest(depth, body)
    case .made(let number, let place, let body, let answer): make(number, place, body, answer)
    case .settle(let number, let answer):
      if resolvers[number] != nil { return perform(.resolve(number, answer)) }
      settle(number, answer, by: promises[number])
    case .resolve(let number, let answer):
      records[number]?.hasUsedResolver = true
      settle(number, answer, by: resolvers[number])
    case .cancel(let number, let reason): cancel(number, reason)
    case .withdraw(let number, let reason): withdraw(number, reason)
    case .hook(let event, let number, let root, let body): addHook(event, number, root, body)
    case .observe(let subject, let place, let body, let capture):
      observe(subject, place, body, capture)
    case .cancelsWhenUnwanted(let number):
      mayWithdraw = true
      records[number]?.cancelsWhenUnwanted = true
      let promise = promises[number]
      calling { _ = promise?.cancelsWhenUnwanted() }
    case .ignoreErrors(let number):
      guard let promise = promises[number] else { return }
      records[number]?.isObserved = true
      calling { _ = promise.ignoreErrors() }
    case .drop(let number): discard(promises.removeValue(forKey: number))
    case .loseResolver(let number): loseResolver(number)
    case .step(let place): step(place)
    case .tick(let place): calling { _ = contexts[place]?.advanceToNextTimer() }
    case .drain(let place):
      for _ in 0..<Self.mostJobs where contexts[place]!.pendingJobs > 0 { step(place) }
    case .dropJobs(let place):
      mayBreak = true
      calling { contexts[place]?.dropAll() }
    case .bagged(let number, let parent, let bag):
      makeChild(number, parent, .bagged, nil, Handler(body: [], answer: .nothing), bag: bag)
    case .dropBag(let number): dropBag(number)
    case .combine(let number, let combinator, let inputs, let cancels):
      combine(number, combinator, inputs, cancels)
    case .series(let number, let series, let inputs, let place, let tasks):
      makeSeries(number, series, inputs, place, tasks)
    case .finished(let number, let top, let place):
      guard let promise = promises[top], let record = records[top] else { return }
      add(number, nil, .none, place ?? defaultPlace(of: record)) {
        place == nil ? promise.finished() : promise.finished(on: context(place))
      }?.top = record
    case .results(let number, let inputs): makeResults(number, inputs)
    case .dropResults(let number): discardResults(sequences.removeValue(forKey: number))
    case .wait(let number): wait(number)
    case .await(let number, let cancels): read(number, cancels)
    case .elsewhere: runElsewhere()
    case .whenLost(let body): whenLost = body
    case .look(let number): if let record = records[number] { checkRelatives(of: record) }
    }
  }

  /// The limit of jobs in one operation, because some programs never end.
  private static let mostJobs = 3000

  func context(_ place: Place?) -> (any ExecutionContext)? {
    guard let place else { return nil }
    if let stepped = contexts[place] { return stepped }
    if let queue = queues[place] { return queue }
    return place == .pool ? DefaultContext.shared : place == .atOnce ? AtOnce() : .immediate
  }

  /// Releases a value that was removed from a dictionary, when the access to the dictionary has ended.
  func discard<Removed>(_ removed: consuming Removed) {
    let lane = leave()
    _ = consume removed
    enter(lane)
  }

  func step(_ place: Place) {
    let lane = lane
    if let stepper = steppers[place], stepper.lane !== lane { return }
    jobs += 1
    steppers[place] = (lane, (steppers[place]?.depth ?? 0) + 1)
    lane.frames.append(.step(place))
    let pending = isThreaded ? [] : all.filter(\.isPending)
    let hasRun = calling { contexts[place]?.step() } == true
    lane.frames.removeLast()
    let settled = pending.filter { $0.promise?.isSettled == true }
    if hasRun { checkDone(below: Set(settled.map(\.age)), "a job has returned") }
    let depth = steppers[place]!.depth
    steppers[place] = depth == 1 ? nil : (lane, depth - 1)
  }
}

/// A foreign context that runs each job on the stack that submits it.
private struct AtOnce: ExecutionContext {
  func execute(_ job: @escaping @Sendable () -> Void) { job() }
}
