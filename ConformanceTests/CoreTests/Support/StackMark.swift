// Whose stack runs a piece of code.

import Dispatch
import Foundation

/// Whether the current thread is inside a certain call.
final class StackMark: Sendable {
  private var key: String { "StackMark \(ObjectIdentifier(self))" }

  var isSet: Bool { Thread.current.threadDictionary[key] != nil }

  func during(_ body: () -> Void) {
    Thread.current.threadDictionary[key] = true
    body()
    Thread.current.threadDictionary[key] = nil
  }
}
