// The promises that all threads share.
//
// Promises are numbered as they are made, and a promise follows only older promises. This excludes cycles, in
// which promises would wait forever, stay in memory with their handlers, and count as leaks. If an operation
// may nevertheless make a cycle, its promise is cancelled later (`cancelLater`).

import DynamicPromise
import Foundation
import Seeds
import Synchronization

/// A promise with its resolver and its witness.
final class Entry: Live, @unchecked Sendable {
  private static let numbers = Atomic<UInt64>(0)

  let promise: Promise
  let number: UInt64
  let witness: Witness
  private let resolver: Mutexed<Resolver?>
  /// Whether the promise has no resolver. The entry rejects such a promise at the end, so that it does not
  /// stay pending.
  private let isBare: Bool

  /// The number of the newest entry. Later entries have greater numbers.
  static var lastNumber: UInt64 { numbers.load(ordering: .relaxed) }

  /// - Parameter witness: The witness that already watches the promise.
  init(
    _ promise: Promise, _ resolver: Resolver? = nil, isBare: Bool = false, number: UInt64? = nil,
    witness: Witness? = nil
  ) {
    (self.promise, self.witness, self.isBare) = (promise, witness ?? Witness(), isBare)
    self.resolver = Mutexed(resolver)
    self.number = number ?? Entry.numbers.add(1, ordering: .relaxed).newValue
    super.init(.entry)
    if witness == nil { self.witness.begin(promise) }
  }

  deinit {
    if isBare { promise.reject("no resolver is left") }
  }

  var aResolver: Resolver? { resolver.value }

  // Settles the promise by hand, without its resolver or handler.

  func fulfill(_ value: Any?) { byHand { $0.fulfill(value) } }
  func reject(_ reason: Any) { byHand { $0.reject(reason) } }
  func resolve(_ value: Any?) { byHand { $0.resolve(value) } }

  func bind(_ other: Promise) {
    byHand { if $0.bind(other) { witness.follows(other) } }
  }

  private func byHand(_ body: (Promise) -> Void) {
    witness.resolveByHand()
    body(promise)
    witness.look()
  }

  /// Releases the resolver, without a lock.
  func loseResolver() {
    let lost = resolver.exchange(nil)
    _ = consume lost
  }
}

enum Pool {
  static let size = 48
  private static let slots = (0..<size).map { _ in Mutexed(Entry?.none) }
  private static let cancelledLater = (0..<32).map { _ in Mutexed(Entry?.none) }
  private static let nextPlace = Atomic<Int>(0)
  private static let isOpen = Atomic<Bool>(true)

  /// The entry of a random slot; `nil` if the slot is empty.
  static func any(_ random: inout Random) -> Entry? { slots[random.below(size)].value }

  /// A promise for which a promise with the given number may wait. If no such promise is found, a settled
  /// promise.
  static func older(than number: UInt64 = .max, _ random: inout Random) -> Promise {
    for _ in 0..<4 {
      if let entry = any(&random), entry.number < number { return entry.promise }
    }
    return random.once(in: 3) ? .rejected(Reason(&random)) : .resolved(Value(&random))
  }

  /// Puts an entry into a random slot, and releases the former entry.
  static func put(_ entry: Entry?, _ random: inout Random) {
    guard isOpen.load(ordering: .sequentiallyConsistent) else { return }
    slots[random.below(size)].value = entry
    // Empties the pool again if it was closed meanwhile, because this slot may already have been emptied.
    if !isOpen.load(ordering: .sequentiallyConsistent) { close() }
  }

  /// Accepts a promise that may wait for itself in a cycle. The promise is cancelled after 32 more calls.
  static func cancelLater(_ promise: Promise) {
    guard isOpen.load(ordering: .sequentiallyConsistent) else {
      promise.cancel()
      return
    }
    let place = nextPlace.add(1, ordering: .relaxed).oldValue
    let former = cancelledLater[place % cancelledLater.count].exchange(Entry(promise))
    former?.promise.cancel()
    if !isOpen.load(ordering: .sequentiallyConsistent) { close() }
  }

  static func open() { isOpen.store(true, ordering: .sequentiallyConsistent) }

  /// Empties the pool, which stays empty until it is opened again.
  static func close() {
    isOpen.store(false, ordering: .sequentiallyConsistent)
    for place in cancelledLater { place.exchange(nil)?.promise.cancel() }
    for slot in slots { slot.value = nil }
  }
}

/// A variable that threads share. Its former content is released outside the lock. The lock is an `NSLock`,
/// because Thread Sanitizer on Linux does not understand an inlined `Mutex`.
final class Mutexed<Content: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var content: Content

  init(_ content: Content) { self.content = content }

  var value: Content {
    get { lock.withLock { content } }
    set { _ = exchange(newValue) }
  }

  func change(_ body: (inout Content) -> Void) { lock.withLock { body(&content) } }

  func exchange(_ new: Content) -> Content {
    lock.withLock {
      let former = content
      content = new
      return former
    }
  }
}
