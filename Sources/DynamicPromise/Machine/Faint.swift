// References that do not keep a promise. A `weak` one costs the promise a side table (100 to 300 ns, and slower counting
// from then on), so it is made only where somebody asks for a strong one, and what is stored instead is `unowned`: it keeps the
// memory, where the bits say whether the promise still exists.

import Synchronization

extension Unmanaged where Instance == Promise {
  /// The promise for the length of `body`, without counting.
  @inline(__always)
  func use<Result>(_ body: (Promise) -> Result) -> Result { _withUnsafeGuaranteedRef(body) }

  /// Whether nobody but the caller holds the promise.
  @inline(__always) var isUnique: Bool {
    var address = UInt(bitPattern: toOpaque())
    return _withUnprotectedUnsafeMutablePointer(to: &address) {
      UnsafeMutableRawPointer($0).withMemoryRebound(to: Promise.self, capacity: 1) {
        isKnownUniquelyReferenced(&$0.pointee)
      }
    }
  }

  /// Whether the caller's reference is the only one, weak and unowned ones included, so that nobody else can come to hold the promise but
  /// through a list in which it stands. Says no too often at most.
  ///
  /// Asks the object itself, in whose second word the runtime counts: what stands there has to be what stands in a new object. A weak
  /// reference moves the counts elsewhere for good. The acquiring load is for what others did before they let go.
  @inline(__always)
  package var isSole: Bool {
    let counts = UnsafeMutableRawPointer(toOpaque()) + MemoryLayout<UInt>.size
    return counts.assumingMemoryBound(to: Atomic<UInt>.self).pointee.load(ordering: .acquiring) == 3
  }

  /// Keeps the memory of the promise, though not the promise. By copying an unowned reference, because one made from
  /// a strong one would count that for a moment, which is deadly while the promise is being freed.
  func retainMemory() {
    var address = UInt(bitPattern: toOpaque())
    var copy: UInt = 0
    _withUnprotectedUnsafeMutablePointer(to: &address) { source in
      _withUnprotectedUnsafeMutablePointer(to: &copy) { target in
        _ = UnsafeMutableRawPointer(target).initializeMemory(
          as: Memory.self, from: UnsafeMutableRawPointer(source).bindMemory(to: Memory.self, capacity: 1),
          count: 1)
      }
    }
  }

  /// Gives the memory up again.
  func releaseMemory() {
    var address = UInt(bitPattern: toOpaque())
    _withUnprotectedUnsafeMutablePointer(to: &address) {
      _ = UnsafeMutableRawPointer($0).bindMemory(to: Memory.self, capacity: 1).deinitialize(count: 1)
    }
  }

  /// A strong reference, unless the last one is gone. The promise is locked and not marked as gone, which is what keeps it: its
  /// `deinit` wants the lock (`Promise.retire`).
  ///
  /// A child that waits holds its parent, or whatever holds the parent stands for it, as long as the parent is locked; otherwise nobody but a
  /// weak reference can tell.
  var ifAlive: Promise? { use { $0.waiting != nil } ? takeUnretainedValue() : ifWeaklyAlive }

  @inline(never)
  private var ifWeaklyAlive: Promise? {
    // As long as it is asked, no reference that the compiler makes may be the last one: its end would be a deinit, under the
    // lock. Where the last one is gone already, this one does no harm.
    _ = retain()
    defer { release() }
    let holder = WeakHolder()
    use { holder.promise = $0 }
    return holder.promise
  }
}

private struct Memory {
  unowned let promise: Promise
}

private final class WeakHolder {
  weak var promise: Promise?
}

/// Points at a promise without keeping it. Whoever makes one for a promise that has neither `cold` fields nor a `fate` counts among the `Walkers`, or
/// else the promise might go without a word (`Promise.retire`).
struct Faint: ~Copyable, @unchecked Sendable {
  private let reference: Unmanaged<Promise>

  init(_ promise: Promise) { self.init(Unmanaged.passUnretained(promise)) }

  /// For one that may be on its way out.
  init(_ reference: Unmanaged<Promise>) {
    self.reference = reference
    reference.retainMemory()
  }

  deinit { reference.releaseMemory() }

  /// Whether the promise is unresolved, or was when it went.
  var isUnresolved: Bool { State.isUnresolved(reference.use { $0.word.peek() }) }

  /// The promise, if it still exists.
  var promise: Promise? { look { _ in } }

  /// Settles the promise if it still exists. Where nobody waits for it and nobody stands above it, it need not be kept for that.
  func settle(_ outcome: Store, _ settled: UInt) {
    let bits = lock.pointee.lock()
    if isAlone(bits) {
      reference.use { $0.store = outcome }
      return lock.pointee.unlock(bits | settled)
    }
    guard let alive = bits & State.gone == 0 ? reference.ifAlive : nil else {
      lock.pointee.unlock(bits)
      var outcome = outcome
      return outcome.destroyOutcome(settled)
    }
    var agenda = Agenda()
    alive.settle(locked: bits, outcome, settled, &agenda)
    agenda.run()
  }

  /// The promise if it still exists; else calls `body` with what remains of it, locked (`Lineage.swift` says what may be read).
  func look(_ body: (Promise) -> Void) -> Promise? {
    let bits = lock.pointee.lock()
    let alive = bits & State.gone == 0 ? reference.ifAlive : nil
    if alive == nil { reference.use(body) }
    lock.pointee.unlock(bits)
    return alive
  }

  /// Whether the promise, which is locked, is unresolved, and to settle it is no more than to note the outcome.
  ///
  /// One question after the other, none of them in a closure: those capture what they ask, and in a build without optimisation that is
  /// counted; the count may be the last one, and its end a deinit under the lock.
  private func isAlone(_ bits: UInt) -> Bool {
    guard bits & (State.mask | State.hasHandlers | State.gone) == State.unresolved, Diagnosis.isSilent else {
      return false
    }
    guard reference.use({ $0.waiting == nil }) else { return false }
    guard reference.use({ $0.rare.isQuiet }) else { return false }
    return reference.use { $0.up.isNone }
  }

  /// The lock, by its address: whoever has given it back must not name the promise any more, which then may be freed.
  private var lock: UnsafePointer<LockedWord> {
    (UnsafeRawPointer(reference.toOpaque()) + 2 * MemoryLayout<UInt>.size)
      .assumingMemoryBound(to: LockedWord.self)
  }
}
