// The promises that all threads share.
//
// No promise may wait forever: with handlers it would rightly stay in memory, and count as a leak. So
// promises are numbered as they are made, and a promise follows older ones only: there are no circles. Where
// an operation may make a circle all the same, the promise is cancelled after a while (`cancelLater`).

import DynamicPromise
import Foundation
import Seeds
import Synchronization

/// A promise, and what settles it.
final class Entry: Live, @unchecked Sendable {
  private static let numbers = Atomic<UInt64>(0)

  let promise: Promise
  let number: UInt64
  let witness: Witness
  private let resolver: Mutexed<Resolver?>
  /// Without a resolver it would stay pending.
  private let isBare: Bool

  /// What is made from now on has a greater number.
  static var lastNumber: UInt64 { numbers.load(ordering: .relaxed) }

  /// - Parameter witness: What watches the promise already.
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

  // By hand, past the resolver and, if there is one, the handler.

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

  /// An entry, whichever; `nil` from a slot that is empty.
  static func any(_ random: inout Random) -> Entry? { slots[random.below(size)].value }

  /// A promise that one with the given number may wait for; a settled one if there is none at hand.
  static func older(than number: UInt64 = .max, _ random: inout Random) -> Promise {
    for _ in 0..<4 {
      if let entry = any(&random), entry.number < number { return entry.promise }
    }
    return random.once(in: 3) ? .rejected(Reason(&random)) : .resolved(Value(&random))
  }

  /// Puts an entry somewhere, and releases what was there.
  static func put(_ entry: Entry?, _ random: inout Random) {
    guard isOpen.load(ordering: .sequentiallyConsistent) else { return }
    slots[random.below(size)].value = entry
    // Closed meanwhile, and perhaps past that slot.
    if !isOpen.load(ordering: .sequentiallyConsistent) { close() }
  }

  /// For a promise that may wait for itself in a circle. It is cancelled when as many others have come.
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

/// A variable that threads share. What it held is released without a lock. (Thread Sanitizer does not
/// understand `Mutex` on Linux once it is inlined: a lock of the system it knows.)
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
