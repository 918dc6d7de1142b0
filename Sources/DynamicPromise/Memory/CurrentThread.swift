// What is noted about each thread. A task-local value would cost an allocation for each handler and be
// inherited by tasks, which run elsewhere; the standard library offers nothing else, so this asks the
// platform's C library.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Bionic)
  internal import Bionic
#elseif canImport(Darwin)
  internal import Darwin
#elseif os(Windows)  // Never compiled: what POSIX has, by Windows' functions.
  internal import WinSDK
  internal import ucrt
  private typealias pthread_key_t = DWORD
  private func pthread_getspecific(_ key: DWORD) -> UnsafeMutableRawPointer? { FlsGetValue(key) }
  private func pthread_setspecific(_ key: DWORD, _ notes: UnsafeMutableRawPointer) -> Int32 {
    FlsSetValue(key, notes) ? 0 : -1
  }
  private func pthread_key_create(_ key: inout DWORD, _ end: PFLS_CALLBACK_FUNCTION) -> Int32 {
    key = FlsAlloc(end)
    return key == DWORD.max ? -1 : 0
  }
  private func write(_ file: Int32, _ text: UnsafeRawPointer?, _ count: Int) -> Int32 {
    var written: DWORD = 0
    return WriteFile(GetStdHandle(DWORD(bitPattern: -12)), text, DWORD(count), &written, nil) ? 0 : -1
  }
  private func usleep(_ microseconds: UInt32) { Sleep(microseconds / 1000 + 1) }
#endif

/// The thread that runs the caller, and what is noted of it. Not to be kept: another thread has other notes.
package struct CurrentThread {
  private struct Notes {
    var lanes = Turn.Lanes()
    var running: ContextRef.Box?
    let home: UInt8
    var trees: UInt8 = 0
    var isDescribing = false
    var lostInHook: FIFO<Promise.UnhandledRejection>?
    var lockedWork = LockedWork()
  }

  /// Made when a thread first needs it, freed when the thread ends.
  private let notes: UnsafeMutablePointer<Notes>

  static var current: CurrentThread {
    @inline(__always) get {
      if let known = pthread_getspecific(key) {
        return CurrentThread(notes: known.bindMemory(to: Notes.self, capacity: 1))
      }
      return makeNotes()
    }
  }

  /// For comparison only: a thread that has ended may leave its number to another.
  package static var id: UInt { current.number }

  /// The same of this one.
  @inline(__always) var number: UInt { UInt(bitPattern: notes) }

  /// What the thread has still to do.
  @inline(__always) var lanes: Turn.Lanes {
    _read { yield notes.pointee.lanes }
    nonmutating _modify { yield &notes.pointee.lanes }
  }

  /// While the hook for lost rejections runs on this stack: those that are lost meanwhile.
  var lostInHook: FIFO<Promise.UnhandledRejection>? {
    get { notes.pointee.lostInHook }
    nonmutating _modify { yield &notes.pointee.lostInHook }
  }

  /// Whether the text of a promise is being made on this stack.
  var isDescribing: Bool {
    get { notes.pointee.isDescribing }
    nonmutating set { notes.pointee.isDescribing = newValue }
  }

  /// Whose job runs on this stack.
  static var running: ContextRef.Box? {
    get { current.notes.pointee.running }
    set { current.notes.pointee.running = newValue }
  }

  /// The lock for the next tree that this thread makes: eight in turn.
  @inline(__always)
  static func nextTree() -> UInt8 {
    let notes = current.notes
    notes.pointee.trees &+= 1
    return notes.pointee.home &+ (notes.pointee.trees & 7)
  }

  /// What is done under trees' locks, counted in debug builds (`LockedWork.swift`).
  @inline(__always) var lockedWork: LockedWork {
    get { notes.pointee.lockedWork }
    nonmutating _modify { yield &notes.pointee.lockedWork }
  }

  /// `UnsafeMutablePointer.allocate` asks for an alignment here, which takes three times as long.
  @inline(never)
  static func allocate(_ size: Int) -> UnsafeMutableRawPointer {
    guard let memory = malloc(size) else { preconditionFailure("no memory for a promise") }
    return memory
  }

  /// Gives back what ``allocate(_:)`` has returned.
  static func deallocate(_ memory: UnsafeMutableRawPointer) { free(memory) }

  /// For people who look at a debug build.
  static func writeToStandardError(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
  }

  /// Lets other threads have the processor.
  static func sleep(microseconds: UInt32) { usleep(microseconds) }

  @inline(never)
  private static func makeNotes() -> CurrentThread {
    let made = UnsafeMutablePointer<Notes>.allocate(capacity: 1)
    // Blocks of memory from one thread's allocator lie close together: multiplied, they do not.
    let mixed = UInt64(UInt(bitPattern: made) >> 4) &* 0x9E37_79B9_7F4A_7C15
    made.initialize(to: Notes(home: UInt8(truncatingIfNeeded: mixed >> 56) & 0xF8))
    precondition(pthread_setspecific(key, made) == 0, "no memory for what is noted about a thread")
    return CurrentThread(notes: made)
  }

  /// The thread ends. (Whether the argument is optional differs between systems.)
  private static func forget(_ notes: UnsafeMutableRawPointer?) {
    guard let bound = notes?.bindMemory(to: Notes.self, capacity: 1) else { return }
    bound.deinitialize(count: 1)
    bound.deallocate()
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let made = pthread_key_create(&key) { CurrentThread.forget($0) }
    precondition(made == 0, "the system has no room for another word of each thread")
    return key
  }()
}
