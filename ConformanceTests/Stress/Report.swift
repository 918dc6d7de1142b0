// What is said if a rule is broken.

import Dispatch
import Foundation
import Synchronization

/// Writes a line at once, wherever it goes.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// The first broken rule ends the process.
enum Report {
  /// What the threads are at.
  static let context = Mutexed<@Sendable () -> String>({ "" })
  private static let isMade = Atomic<Bool>(false)

  static func fail(_ clause: String, _ text: String) {
    guard !isMade.exchange(true, ordering: .sequentiallyConsistent) else { return }
    say("FAILED: \(clause): \(text)\n\(context.value())")
    exit(1)
  }
}
