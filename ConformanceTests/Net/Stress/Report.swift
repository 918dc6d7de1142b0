// Reports a broken rule.

import Dispatch
import Foundation
import Synchronization

/// Writes a line without buffering.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// The first broken rule ends the process.
enum Report {
  /// Describes what the threads do at the moment.
  static let context = Mutexed<@Sendable () -> String>({ "" })
  private static let isMade = Atomic<Bool>(false)

  static func fail(_ clause: String, _ text: String) {
    guard !isMade.exchange(true, ordering: .sequentiallyConsistent) else { return }
    say("FAILED: \(clause): \(text)\n\(context.value())")
    exit(1)
  }
}
