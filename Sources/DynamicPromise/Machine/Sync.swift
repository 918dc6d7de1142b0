// All that excludes in the core. Nothing else in the core names an atomic for exclusion, so that a
// sanitizer build, or an explorer of interleavings, has one file to swap.
//
// Why not `Synchronization.Mutex`: it costs a second word per object and an extra read of the state; and on
// Linux its slow path lives in the toolchain's own, uninstrumented library, where Thread Sanitizer cannot see
// the hand-over and raises false alarms. Everything here is compiled into this module.

import Dispatch
import Synchronization

/// One machine word that is both the state of an object and the lock of its fields: bit 0 is the lock, the
/// rest belongs to the owner. Taking the lock returns the other bits, giving it back publishes new ones, so that
/// a transition costs one compare-exchange and one store.
///
/// Critical sections are a few instructions long and never contain user code, a context, or a release that can
/// run a deinit (X4). Nested locks are taken upwards only; `Lineage.swift` has the order.
struct LockedWord: ~Copyable {
  private let word: Atomic<UInt>

  init(_ bits: UInt) { word = Atomic(bits) }

  /// The bits as last published. Whatever was written before they were published is visible to the caller.
  @inline(__always)
  func peek() -> UInt { word.load(ordering: .acquiring) & ~1 }

  /// The same, if nobody has the lock.
  @inline(__always)
  func peekUnlocked() -> UInt? {
    let seen = word.load(ordering: .acquiring)
    return seen & 1 == 0 ? seen : nil
  }

  /// Takes the lock and returns the bits.
  @inline(__always)
  func lock() -> UInt {
    let seen = word.load(ordering: .relaxed) & ~1
    let (won, _) = word.weakCompareExchange(
      expected: seen, desired: seen | 1, successOrdering: .acquiring, failureOrdering: .relaxed)
    return won ? seen : lockSlowly()
  }

  /// The same, if nobody else has the lock.
  @inline(__always)
  func tryLock() -> UInt? {
    let seen = word.load(ordering: .relaxed) & ~1
    let (won, _) = word.weakCompareExchange(
      expected: seen, desired: seen | 1, successOrdering: .acquiring, failureOrdering: .relaxed)
    return won ? seen : nil
  }

  /// Publishes `bits` and gives the lock back.
  ///
  /// The fence is for the compiler, whose reference counting optimizer takes a store for something that no retain or release has to
  /// keep away from: it would move a retain that belongs under the lock behind it, and a release in front of it. A fence stops
  /// it, and is no instruction on x86-64. The store's own order is what Thread Sanitizer understands.
  @inline(__always)
  func unlock(_ bits: UInt) {
    atomicMemoryFence(ordering: .releasing)
    word.store(bits, ordering: .releasing)
  }

  @inline(never)
  private func lockSlowly() -> UInt {
    var spins = 0
    while true {
      let seen = word.load(ordering: .relaxed)
      if seen & 1 == 0 {
        let (won, _) = word.weakCompareExchange(
          expected: seen, desired: seen | 1, successOrdering: .acquiring, failureOrdering: .relaxed)
        if won { return seen }
      }
      spins += 1
      if spins > 200 { Self.stepAside() }
    }
  }

  /// The holder was preempted: give it the processor. A timed wait on a semaphore that nobody signals is the only
  /// way Dispatch has to say so, and unlike a yield it lets a holder of lower priority run.
  private static func stepAside() {
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(20))
  }
}

/// Which object something belongs to, without holding it: may be compared by whoever, and is changed under the lock of
/// the object that it names.
struct Owner: ~Copyable {
  private let address = Atomic<UInt>(0)

  func set(_ object: AnyObject?) {
    let address = object.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0
    self.address.store(address, ordering: .relaxed)
  }

  /// Under the lock of `object` a positive answer stays true.
  func isOwner(_ object: AnyObject) -> Bool {
    address.load(ordering: .relaxed) == UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }
}

/// A flag that one of several threads wins.
struct Once: ~Copyable {
  private let taken = Atomic<Bool>(false)

  /// Whether this call was the first.
  func claim() -> Bool { !taken.exchange(true, ordering: .acquiringAndReleasing) }

  /// Whether somebody has claimed it.
  var isClaimed: Bool { taken.load(ordering: .acquiring) }
}

/// Something held by hand, which one of several threads takes.
struct Parcel: ~Copyable {
  private let address: Atomic<UInt>

  init(_ promise: Unmanaged<Promise>) { address = Atomic(UInt(bitPattern: promise.toOpaque())) }

  /// `nil` if somebody was here before.
  func take() -> Unmanaged<Promise>? {
    let taken = address.exchange(0, ordering: .acquiringAndReleasing)
    return UnsafeRawPointer(bitPattern: taken).map { .fromOpaque($0) }
  }
}

/// How often a thread looks again for something that is likely to come soon.
enum Spinning {
  static let rounds = 2000
}
