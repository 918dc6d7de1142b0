// Per-thread state, from the platform's C library, because the standard library offers only task-local
// values. Such a value would cost an allocation for each handler, and tasks on other threads would inherit
// it.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Bionic)
  internal import Bionic
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The calling thread and its state. Never store this value, because each thread has its own.
package struct CurrentThread {
  private struct Notes {
    var lanes = Turn.Lanes()
    var running: ContextRef?
    let home: UInt8
    var trees: UInt8 = 0
    var isDescribing = false
    var lostInHook: FIFO<Promise.UnhandledRejection>?
    var lockedWork = LockedWork()
  }

  /// Allocated when a thread first uses it, freed when the thread ends.
  private let notes: UnsafeMutablePointer<Notes>

  static var current: CurrentThread {
    @inline(__always) get {
      if let known = pthread_getspecific(key) {
        return CurrentThread(notes: known.bindMemory(to: Notes.self, capacity: 1))
      }
      return makeNotes()
    }
  }

  /// For comparison only: a new thread may have the number of a thread that has ended.
  package static var id: UInt { current.number }

  /// The number that identifies this thread. It is never zero.
  @inline(__always) var number: UInt { UInt(bitPattern: notes) }

  /// The pending work of the thread.
  @inline(__always) var lanes: Turn.Lanes {
    _read { yield notes.pointee.lanes }
    nonmutating _modify { yield &notes.pointee.lanes }
  }

  /// The rejections that are lost while the hook for lost rejections runs on this stack.
  var lostInHook: FIFO<Promise.UnhandledRejection>? {
    get { notes.pointee.lostInHook }
    nonmutating _modify { yield &notes.pointee.lostInHook }
  }

  /// Whether the description of a promise is being made on this stack.
  var isDescribing: Bool {
    get { notes.pointee.isDescribing }
    nonmutating set { notes.pointee.isDescribing = newValue }
  }

  /// The context whose job runs on this stack.
  static var running: ContextRef? {
    get { current.notes.pointee.running }
    set { current.notes.pointee.running = newValue }
  }

  /// The index of the lock for the next tree. Each thread uses eight locks in turn.
  @inline(__always)
  static func nextTree() -> UInt8 {
    let notes = current.notes
    notes.pointee.trees &+= 1
    return notes.pointee.home &+ (notes.pointee.trees & 7)
  }

  /// Counts the work under tree locks, in debug builds (`LockedWork.swift`).
  @inline(__always) var lockedWork: LockedWork {
    get { notes.pointee.lockedWork }
    nonmutating _modify { yield &notes.pointee.lockedWork }
  }

  /// Calls `malloc`. `UnsafeMutablePointer.allocate` would take three times as long, because it would pass an
  /// alignment here.
  @inline(never)
  static func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    guard let memory = malloc(size) else { preconditionFailure("out of memory for a promise") }
    return memory
  }

  /// Frees memory of ``allocate(_:)``.
  static func deallocate(_ memory: UnsafeMutableRawPointer) { free(memory) }

  /// For messages of debug builds. Text that cannot be written is lost.
  static func writeToStandardError(_ text: String) {
    var text = text
    // A write to a closed pipe sends a signal, which would end the process.
    var (pipe, former, pending, signal) = (sigset_t(), sigset_t(), sigset_t(), Int32(0))
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipe, &former)
    text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
    sigpending(&pending)
    let isNew = sigismember(&pending, SIGPIPE) == 1 && sigismember(&former, SIGPIPE) == 0
    if isNew { sigwait(&pipe, &signal) }
    pthread_sigmask(SIG_SETMASK, &former, nil)
  }

  /// Lets other threads run.
  static func sleep(microseconds: UInt32) { usleep(microseconds) }

  @inline(never)
  private static func makeNotes() -> CurrentThread {
    let made = UnsafeMutablePointer<Notes>.allocate(capacity: 1)
    // The multiplication spreads threads over the locks, because addresses of one allocator are close
    // together.
    let mixed = UInt64(UInt(bitPattern: made) >> 4) &* 0x9E37_79B9_7F4A_7C15
    made.initialize(to: Notes(home: UInt8(truncatingIfNeeded: mixed >> 56) & 0xF8))
    precondition(pthread_setspecific(key, made) == 0, "out of memory for the state of a thread")
    return CurrentThread(notes: made)
  }

  /// Frees the state of a thread that ends. (The argument is optional on some systems only.)
  private static func forget(_ notes: UnsafeMutableRawPointer?) {
    guard let bound = notes?.bindMemory(to: Notes.self, capacity: 1) else { return }
    bound.deinitialize(count: 1)
    bound.deallocate()
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let made = pthread_key_create(&key) { CurrentThread.forget($0) }
    precondition(made == 0, "the system has no thread-specific key left")
    return key
  }()
}
