import Foundation

/// What the suite did although it was told that it cannot be done.
final class Breaches: Sendable {
  private let lock = NSLock()
  nonisolated(unsafe) private var notes: [String] = []

  func note(_ what: String) {
    lock.withLock { notes.append(what) }
  }

  /// The notes since the last call.
  func take() -> [String] {
    lock.withLock {
      defer { notes = [] }
      return notes
    }
  }
}
