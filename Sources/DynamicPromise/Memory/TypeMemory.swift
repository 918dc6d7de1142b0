// A cache of the kinds of types, for the resolution procedure. A failing protocol cast costs more than a
// whole step of a chain, and conformances do not change while a program runs.

import Synchronization

/// A table in which each type has one place. Types that share a place evict each other, which costs only
/// time. An entry is one word, so no reader sees a partial entry.
enum TypeMemory {
  /// The stored answer for `type`. If no answer is stored, calls `question` and stores its answer. Answers
  /// are 1 to 7.
  @inline(__always)
  static func answer(for type: Any.Type, _ question: (Any.Type) -> UInt) -> UInt {
    let identity = UInt(bitPattern: ObjectIdentifier(type))
    let place = places + Int(truncatingIfNeeded: (identity >> 4) ^ (identity >> 12)) & mask
    let entry = place.pointee.load(ordering: .relaxed)
    if entry & ~7 == identity, entry & 7 != 0 { return entry & 7 }
    return learn(type, identity, place, question)
  }

  @inline(never)
  private static func learn(
    _ type: Any.Type, _ identity: UInt, _ place: UnsafeMutablePointer<Atomic<UInt>>,
    _ question: (Any.Type) -> UInt
  ) -> UInt {
    let answer = question(type)
    // An identity whose low bits are not zero has no room for the answer, and is not stored.
    if identity & 7 == 0 { place.pointee.store(identity | answer, ordering: .relaxed) }
    return answer
  }

  private static var mask: Int { 255 }

  /// Never freed.
  private nonisolated(unsafe) static let places: UnsafeMutablePointer<Atomic<UInt>> = {
    let places = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: mask + 1)
    for index in 0...mask { (places + index).initialize(to: Atomic(0)) }
    return places
  }()
}
