// Replaces the core's `Memory/CurrentThread.swift`. The state of each thread is new in each run, so that a
// run depends on its schedule alone.

import Scheduler

package struct CurrentThread {
  static var current: CurrentThread { CurrentThread() }

  package static var id: UInt { current.number }
  var number: UInt { UInt(Scheduler.current + 1) << 4 }

  var lanes: Turn.Lanes {
    _read { yield Self.upToDate().pointee.lanes }
    nonmutating _modify { yield &Self.upToDate().pointee.lanes }
  }

  var lostInHook: FIFO<Promise.UnhandledRejection>? {
    _read { yield Self.upToDate().pointee.lostInHook }
    nonmutating _modify { yield &Self.upToDate().pointee.lostInHook }
  }

  /// Whether this stack computes the description of a promise.
  var isDescribing: Bool {
    get { Self.notes.isDescribing }
    nonmutating set { Self.notes.isDescribing = newValue }
  }

  static var running: ContextRef? {
    get { notes.running }
    set { notes.running = newValue }
  }

  /// The lock of a new tree. Trees have separate locks while the supply lasts, or share one lock if the
  /// program requires it.
  static func nextTree() -> UInt8 {
    if Scheduler.sharesLocks { return 0 }
    let thread = Scheduler.current
    notes.trees += 1
    return thread == 0 ? UInt8(notes.trees % 120) : UInt8(120 + (thread - 1) * 5 + notes.trees % 5)
  }

  var lockedWork: LockedWork {
    get { Self.notes.lockedWork }
    nonmutating _modify { yield &Self.notes.lockedWork }
  }

  static func writeToStandardError(_ text: String) { print(text, terminator: "") }

  // The memory of a promise's state.
  static func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    Scheduler.promises += 1
    return .allocate(byteCount: size, alignment: 16)
  }

  static func deallocate(_ memory: UnsafeMutableRawPointer) {
    Scheduler.promises -= 1
    memory.deallocate()
  }

  private struct Notes {
    var run = 0
    var lanes = Turn.Lanes()
    var running: ContextRef?
    var trees = 0
    var lockedWork = LockedWork()
    var isDescribing = false
    var lostInHook: FIFO<Promise.UnhandledRejection>?
  }

  nonisolated(unsafe) private static let all = {
    let all = UnsafeMutablePointer<Notes>.allocate(capacity: Scheduler.mostThreads)
    all.initialize(repeating: Notes(), count: Scheduler.mostThreads)
    return all
  }()

  private static var notes: Notes {
    _read { yield upToDate().pointee }
    _modify { yield &upToDate().pointee }
  }

  private static func upToDate() -> UnsafeMutablePointer<Notes> {
    let notes = all + Scheduler.current
    if notes.pointee.run != Scheduler.run { notes.pointee = Notes(run: Scheduler.run) }
    return notes
  }
}
