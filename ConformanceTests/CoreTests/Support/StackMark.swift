// A mark for the stack that runs a closure.

import Foundation

/// Tells whether the current thread is inside `during`.
final class StackMark: Sendable {
  private var key: String { "StackMark \(ObjectIdentifier(self))" }

  var isSet: Bool { Thread.current.threadDictionary[key] != nil }

  func during(_ body: () -> Void) {
    Thread.current.threadDictionary[key] = true
    body()
    Thread.current.threadDictionary[key] = nil
  }
}
