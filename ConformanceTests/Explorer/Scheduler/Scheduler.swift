// Decides at every operation of the core's synchronisation which thread goes on.

import Dispatch

/// One run of a program under one schedule. Its state needs no protection: one thread runs at a time, and the
/// semaphores on which the others sleep order their accesses.
package enum Scheduler {
  /// Another way that a run could have gone from some step on.
  struct Alternative {
    let step: Int
    let thread: Int
    /// The running thread could have gone on.
    let isPreemption: Bool
  }

  private static let stepLimit = 50_000

  private final class State {
    var threads: [VirtualThread] = []
    var count = 0
    var running: VirtualThread?
    var schedule = Schedule()
    var nextTurn = 0
    var step = 0
    var cells = 0
    var kept: [Cell] = []
    var pending: [(String, () -> Void)] = []
    var alternatives: [Alternative] = []
    var failure: String?
    var trace: [String]?
  }

  nonisolated(unsafe) private static var state = State()
  nonisolated(unsafe) static var isFine = true
  private static let finished = DispatchSemaphore(value: 0)

  // MARK: For the core

  /// Others may go on before what follows.
  package static func point(_ name: StaticString, _ cell: Cell) {
    guard let me = state.running else { return }
    if state.trace != nil { note(me, "\(name) \(cell.number)") }
    choose(me)
  }

  /// A point that matters only to those who look without the lock.
  package static func finePoint(_ name: StaticString, _ cell: Cell) {
    if isFine { point(name, cell) }
  }

  /// Others may go on before what follows, in a program.
  package static func point() {
    guard let me = state.running else { return }
    if state.trace != nil { note(me, "point") }
    choose(me)
  }

  /// Takes the lock that is bit 0 of `cell`.
  package static func take(_ cell: Cell) {
    while cell.bits & 1 != 0 { block(.locked(cell)) }
    cell.bits |= 1
  }

  /// Waits until `cell` is not zero.
  package static func wait(for cell: Cell) {
    while cell.bits == 0 { block(.waiting(cell)) }
  }

  /// Starts a thread. Between runs: puts the job by, for the next run or `drain`.
  package static func spawn(_ label: String, _ body: @escaping () -> Void) {
    if state.running == nil { return state.pending.append((label, body)) }
    start(label, body)
    if state.trace != nil { note(state.running!, "starts \(Schedule.name(state.count - 1)) for \(label)") }
  }

  static func nextCell() -> Int {
    state.cells += 1
    return state.cells
  }

  /// Keeps a cell until the next run: the word of a promise is read even when only the promise's memory remains.
  package static func keep(_ cell: Cell) { state.kept.append(cell) }

  // MARK: For the search

  /// Makes ready for a run, whose setting up follows on this thread.
  static func begin(_ schedule: Schedule, isTraced: Bool) {
    let threads = state.threads
    state = State()
    state.threads = threads
    state.schedule = schedule
    state.trace = isTraced ? [] : nil
  }

  /// Runs what was spawned, to the end. The failure, if no thread could go on.
  static func run() -> String? {
    // None of the bodies may be held here: its captures go with its thread.
    while !state.pending.isEmpty { startFirstPending() }
    guard state.count > 0 else { return nil }
    let first = state.threads[nextThread(default: 0)]
    state.running = first
    first.wake()
    finished.wait()
    state.running = nil
    if let failure = state.failure { return failure }
    if state.nextTurn < state.schedule.count {
      return "the schedule does not fit: the program is not deterministic"
    }
    return nil
  }

  /// Jobs that came up since the run are done on this thread.
  package static func drain() {
    while !state.pending.isEmpty { state.pending.removeFirst().1() }
  }

  static var alternatives: [Alternative] { state.alternatives }

  static var trace: [String] { state.trace ?? [] }

  // MARK: Inside

  private static func startFirstPending() {
    let (label, body) = state.pending.removeFirst()
    start(label, body)
  }

  private static func start(_ label: String, _ body: @escaping () -> Void) {
    precondition(state.count < 26, "a program of so many threads is never explored")
    if state.count == state.threads.count { state.threads.append(VirtualThread(number: state.count)) }
    let thread = state.threads[state.count]
    state.count += 1
    thread.label = label
    thread.body = body
    thread.state = .ready
  }

  private static func note(_ thread: VirtualThread, _ text: String) {
    let line = "\(state.step)\t\(Schedule.name(thread.number)) \(thread.label)\t\(text)"
    state.trace?.append(line)
  }

  private static func block(_ reason: VirtualThread.State) {
    guard let me = state.running else { fatalError("a lock was never given back") }
    me.state = reason
    if state.trace != nil { note(me, "blocks") }
    choose(me)
  }

  static func end(_ thread: VirtualThread) {
    thread.state = .done
    if state.trace != nil { note(thread, "ends") }
    choose(thread)
  }

  /// Fails the run, on a thread that cannot go on. What it holds is lost, and so are the other threads.
  private static func fail(_ text: String) {
    let me = state.running
    state.failure = text
    state.threads = []
    finished.signal()
    while me != nil { me!.sleep() }
    fatalError(text)
  }

  private static func nextThread(default number: Int) -> Int {
    defer { state.step += 1 }
    var chosen = number
    let isPrefix = state.nextTurn < state.schedule.count
    if isPrefix {
      let turn = state.schedule.turn(state.nextTurn)
      if turn.step == state.step {
        chosen = turn.thread
        state.nextTurn += 1
      }
      return chosen
    }
    for thread in state.threads[..<state.count] where thread.number != number && thread.canRun {
      let isPreemption = state.running.map { $0.number == number } ?? false
      state.alternatives.append(
        Alternative(step: state.step, thread: thread.number, isPreemption: isPreemption))
    }
    return chosen
  }

  private static func choose(_ me: VirtualThread) {
    var number = me.number
    if !me.canRun {
      guard let first = state.threads[..<state.count].first(where: \.canRun) else {
        if state.threads[..<state.count].allSatisfy({ if case .done = $0.state { true } else { false } }) {
          state.running = nil
          finished.signal()
          return
        }
        return fail("nobody can go on: \(describeBlocked())")
      }
      number = first.number
    }
    if state.step > stepLimit { return fail("no end after \(stepLimit) steps") }
    number = nextThread(default: number)
    let next = state.threads[number]
    guard next.canRun else {
      return fail("the schedule does not fit: \(Schedule.name(number)) cannot run at step \(state.step - 1)")
    }
    guard next !== me else { return me.state = .ready }
    // Asked before the next one wakes, because it may be the last, and this thread may then belong to the next run.
    let isDone = if case .done = me.state { true } else { false }
    state.running = next
    next.wake()
    if isDone { return }
    me.sleep()
    me.state = .ready
  }

  private static func describeBlocked() -> String {
    state.threads[..<state.count].compactMap { thread in
      switch thread.state {
      case .locked(let cell): "\(Schedule.name(thread.number)) waits for the lock of cell \(cell.number)"
      case .waiting(let cell): "\(Schedule.name(thread.number)) waits for a signal of cell \(cell.number)"
      case .ready, .done: nil
      }
    }.joined(separator: ", ")
  }
}
