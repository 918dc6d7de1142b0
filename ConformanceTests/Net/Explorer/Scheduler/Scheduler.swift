// Decides which thread continues, at every synchronization of the core.

import Dispatch
internal import Hooks

/// Decides which thread continues. A step is the work of a thread between two such decisions.
protocol Pilot: AnyObject {
  /// - Parameters:
  ///   - usual: The thread that continues by default: the running thread if it can continue, otherwise the
  ///     first thread that can.
  ///   - isForced: Whether the running thread cannot continue.
  ///   - ready: All threads that can run, as bits.
  func next(step: Int, usual: Int, isForced: Bool, ready: UInt32) -> Int
  /// Called when the running thread has started another thread.
  func starts(_ thread: Int)
  /// Called when all threads have ended.
  func ended()
}

/// One run of a program under one schedule. Its state needs no protection: one thread runs at a time, and the
/// semaphores on which the other threads sleep order all accesses.
package enum Scheduler {
  package static let mostThreads = 26
  private static let stepLimit = 20_000

  private final class State {
    var threads: [VirtualThread] = []
    var count = 0
    var running: VirtualThread?
    var pilot: (any Pilot)?
    var step = 0
    var pending: [(String, () -> Void)] = []
    var failure: String?
    var trace: [String]?
    var sharesLocks = false
  }

  nonisolated(unsafe) private static var state = State()
  nonisolated(unsafe) private static var cells = 0
  private static let finished = DispatchSemaphore(value: 0)

  // MARK: For the core

  /// The number of this run; 0 before the first run.
  nonisolated(unsafe) package private(set) static var run = 0

  /// The running thread; 0 for the thread that sets up and checks.
  package static var current: Int { state.running.map { $0.number + 1 } ?? 0 }

  package static var sharesLocks: Bool { state.sharesLocks }

  /// Another thread may run before the following code.
  package static func point(_ name: StaticString, _ cell: Cell) {
    if let me = state.running { pass(me, "\(name) \(cell.number)") }
  }

  /// Another thread may run before the following code of a program.
  package static func point() { if let me = state.running { pass(me, "point") } }

  /// Acquires the lock in bit 0 of `cell`; the higher bits identify the owner.
  package static func take(_ cell: Cell) {
    while cell.bits & 1 != 0 { block(.locked(cell)) }
    cell.bits = taken
  }

  package static func release(_ cell: Cell) {
    if cell.bits != taken { fail("a thread releases lock \(cell.number), which it does not hold") }
    cell.bits = 0
  }

  private static var taken: UInt { UInt(current + 1) << 1 | 1 }

  /// Waits until `cell` is not zero.
  package static func wait(for cell: Cell) {
    while cell.bits == 0 { block(.waiting(cell)) }
  }

  /// Starts a thread. Between runs, stores the job for the next run or for `drain`.
  package static func spawn(_ label: String, _ body: @escaping () -> Void) {
    let place = hooks_enter(-1)
    defer { _ = hooks_enter(place) }
    if state.running == nil { return state.pending.append((label, body)) }
    start(label, body)
    state.pilot?.starts(state.count - 1)
    note(state.running!, "starts \(Schedule.name(state.count - 1)) for \(label)")
  }

  /// The number of promises that exist in this run.
  nonisolated(unsafe) package static var promises = 0

  static func nextCell() -> Int {
    cells += 1
    return cells
  }

  // MARK: For the search

  /// Prepares a run. The set-up of the run follows on this thread.
  static func begin(_ pilot: any Pilot, sharesLocks: Bool, isTraced: Bool) {
    let threads = state.threads
    state = State()
    state.threads = threads
    state.pilot = pilot
    state.sharesLocks = sharesLocks
    state.trace = isTraced ? [] : nil
    run += 1
    cells = 0
    promises = 0
    hooks_begin()
    _ = hooks_enter(0)
  }

  /// Runs all spawned threads to the end. Returns the failure, if there is one.
  static func runAll() -> String? {
    let place = hooks_enter(-1)
    defer { _ = hooks_enter(place) }
    hooks_clear()
    // No body may be retained here, because its captures are released with its thread.
    while !state.pending.isEmpty { startFirstPending() }
    guard state.count > 0 else { return nil }
    let first = state.threads[ask(usual: 0, isForced: true)]
    state.running = first
    first.wake()
    finished.wait()
    state.running = nil
    state.pilot?.ended()
    return state.failure
  }

  /// Runs the jobs that were added since the run, on this thread.
  package static func drain() {
    while !state.pending.isEmpty { state.pending.removeFirst().1() }
  }

  static var steps: Int { state.step }

  static var trace: [String] { state.trace ?? [] }

  // MARK: Inside

  private static func startFirstPending() {
    let (label, body) = state.pending.removeFirst()
    start(label, body)
  }

  private static func start(_ label: String, _ body: @escaping () -> Void) {
    precondition(state.count < mostThreads, "the program has too many threads")
    if state.count == state.threads.count { state.threads.append(VirtualThread(number: state.count)) }
    let thread = state.threads[state.count]
    state.count += 1
    thread.label = label
    thread.body = body
    thread.state = .ready
  }

  private static func note(_ thread: VirtualThread, _ text: @autoclosure () -> String) {
    guard state.trace != nil else { return }
    state.trace?.append("\(state.step)\t\(Schedule.name(thread.number)) \(thread.label)\t\(text())")
  }

  /// Ends a step of the thread, perhaps because the thread cannot continue.
  private static func pass(
    _ me: VirtualThread, _ text: @autoclosure () -> String, _ next: VirtualThread.State = .ready
  ) {
    let place = hooks_enter(-1)
    me.state = next
    note(me, text())
    choose(me)
    _ = hooks_enter(place)
  }

  private static func block(_ reason: VirtualThread.State) {
    guard let me = state.running else { fatalError("a lock was never released") }
    pass(me, "blocks", reason)
  }

  static func end(_ thread: VirtualThread) {
    thread.state = .done
    note(thread, "ends")
    choose(thread)
  }

  /// Fails the run, and blocks this thread forever. Everything that the threads of the run retain is leaked.
  private static func fail(_ text: String) {
    let me = state.running
    state.failure = text
    state.threads = []
    finished.signal()
    while me != nil { me!.sleep() }
    fatalError(text)
  }

  private static func ask(usual: Int, isForced: Bool) -> Int {
    var ready: UInt32 = 0
    for thread in state.threads[..<state.count] where thread.canRun { ready |= 1 << UInt32(thread.number) }
    defer { state.step += 1 }
    return state.pilot!.next(step: state.step, usual: usual, isForced: isForced, ready: ready)
  }

  private static func choose(_ me: VirtualThread) {
    var number = me.number
    let isForced = !me.canRun
    if isForced {
      guard let first = state.threads[..<state.count].first(where: \.canRun) else {
        if state.threads[..<state.count].allSatisfy({ if case .done = $0.state { true } else { false } }) {
          state.running = nil
          finished.signal()
          return
        }
        return fail("no thread can continue: \(describeBlocked())")
      }
      number = first.number
    }
    if state.step > stepLimit { return fail("no end after \(stepLimit) steps") }
    number = ask(usual: number, isForced: isForced)
    guard number < state.count, state.threads[number].canRun else {
      return fail("the schedule does not fit: \(Schedule.name(number)) cannot run at step \(state.step - 1)")
    }
    let next = state.threads[number]
    guard next !== me else { return me.state = .ready }
    // `isDone` is read before the next thread wakes. After the wake, this thread may already belong to the
    // next run, if the next thread was the last one of this run.
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
