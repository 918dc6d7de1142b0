// Releases chains of pending promises without recursion (L4).

/// A pending promise that goes away lets go of the promise above it and of the one it had adopted, which may go in
/// turn, and so on. A deinit that happens while its thread works through such references adds its own to the thread's list instead
/// of releasing them on its stack.
///
/// Each thread has a list of its own, on one of a few shelves: with one list for all, the thread that works through it may never
/// catch up with the others, and what they let go of piles up.
enum Releaser {
  private final class Shelf: @unchecked Sendable {
    let word = LockedWord(0)
    /// The thread that works through the list; zero for none.
    @exclusivity(unchecked) var owner: UInt = 0
    @exclusivity(unchecked) var references: [Unmanaged<Promise>] = []
  }

  /// A power of two; more threads than that share, which costs memory only.
  private static let count = 16
  private static let shelves = (0..<count).map { _ in Shelf() }

  /// Gives up the caller's reference, now or as soon as this thread gets to it.
  /// By hand, because no frame below may hold a copy, whose end would be the last one after all.
  static func release(_ reference: Unmanaged<Promise>) {
    let thread = CurrentThread.id
    // Threads are blocks of memory, or pages, apart.
    let start = Int(truncatingIfNeeded: (thread >> 12) ^ (thread >> 20))
    for step in 0..<count {
      let shelf = shelves[(start &+ step) & (count - 1)]
      let bits = shelf.word.lock()
      guard shelf.owner == 0 || shelf.owner == thread || step == count - 1 else {
        shelf.word.unlock(bits)
        continue
      }
      guard shelf.owner == 0 else {
        shelf.references.append(reference)
        return shelf.word.unlock(bits)
      }
      shelf.owner = thread
      shelf.word.unlock(bits)
      return work(reference, shelf)
    }
  }

  private static func work(_ first: Unmanaged<Promise>, _ shelf: Shelf) {
    var current: Unmanaged<Promise>? = first
    while let reference = current {
      reference.release()  // May run a deinit, which comes back here and finds the shelf its own.
      let bits = shelf.word.lock()
      current = shelf.references.popLast()
      if current == nil { shelf.owner = 0 }
      shelf.word.unlock(bits)
    }
  }
}
