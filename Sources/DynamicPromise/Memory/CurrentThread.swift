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
#endif

/// The thread that runs the caller, and what is noted of it. Not to be kept: another thread has other notes.
package struct CurrentThread {
  private struct Notes {
    var depth = 0
    var deferred = FIFO<Effects>()
    var running: ContextRef.Box?
    let home: UInt8
    var trees: UInt8 = 0
    var holdsTree = false
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

  /// For comparison only. No two threads that exist have the same number; one that has ended may leave it to
  /// another.
  package static var id: UInt { UInt(bitPattern: current.notes) }

  /// How many drivers are at work on this stack, one inside the other.
  @inline(__always) var depth: Int {
    get { notes.pointee.depth }
    nonmutating set { notes.pointee.depth = newValue }
  }

  /// What the drivers on this stack have left to the outermost one.
  var deferred: FIFO<Effects> {
    get { notes.pointee.deferred }
    nonmutating _modify { yield &notes.pointee.deferred }
  }

  @inline(__always)
  func takeDeferred() -> Effects? { notes.pointee.deferred.isEmpty ? nil : notes.pointee.deferred.popFirst() }

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

  /// In debug builds: no two locks of trees are held at once.
  @inline(__always)
  static func noteLocking() {
    assert(!current.notes.pointee.holdsTree, "two trees are locked at once")
    assert({ current.notes.pointee.holdsTree = true }() == ())
  }

  @inline(__always)
  static func noteUnlocked() { assert({ current.notes.pointee.holdsTree = false }() == ()) }

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
  private static func free(_ notes: UnsafeMutableRawPointer?) {
    guard let bound = notes?.bindMemory(to: Notes.self, capacity: 1) else { return }
    bound.deinitialize(count: 1)
    bound.deallocate()
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let made = pthread_key_create(&key) { CurrentThread.free($0) }
    precondition(made == 0, "the system has no room for another word of each thread")
    return key
  }()
}
