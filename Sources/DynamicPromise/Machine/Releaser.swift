// Releases chains of pending promises without recursion (L4).

/// A pending promise that goes away lets go of the promise above it and of the one it had adopted, which may go in
/// turn, and so on. One thread at a time works through such references; a deinit that happens meanwhile adds its own
/// to the list instead of releasing them on its stack. Settled promises never come here.
enum Releaser {
  private final class Shelf: @unchecked Sendable {
    static let busy: UInt = 1 << 1
    let word = LockedWord(0)
    var references: [Unmanaged<Promise>] = []
  }

  private static let shelf = Shelf()

  /// Gives up the caller's reference, now or as soon as the thread that works through the list gets to it.
  /// By hand, because no frame below may hold a copy, whose end would be the last one after all.
  static func release(_ reference: Unmanaged<Promise>) {
    var current: Unmanaged<Promise>? = reference
    var bits = shelf.word.lock()
    if bits & Shelf.busy != 0 {
      shelf.references.append(reference)
      return shelf.word.unlock(bits)
    }
    shelf.word.unlock(bits | Shelf.busy)
    while let reference = current {
      reference.release()  // May run a deinit, which comes back here and finds the shelf busy.
      bits = shelf.word.lock()
      current = shelf.references.popLast()
      shelf.word.unlock(current == nil ? bits & ~Shelf.busy : bits)
    }
  }
}
