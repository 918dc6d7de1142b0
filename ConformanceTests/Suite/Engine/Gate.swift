import Foundation

/// A gate at which threads wait until it is opened with a value.
final class Gate<Token: Sendable>: Sendable {
  private let probe: Probe
  nonisolated(unsafe) private var token: Token?

  init(_ probe: Probe) { self.probe = probe }

  func open(_ token: Token) {
    probe.events.withLock {
      self.token = token
      probe.events.broadcast()
    }
  }

  /// Waits in a handler for the next action of another thread. The case fails if the handler runs inside a
  /// call, because the wait might never end.
  func pass() throws -> Token {
    try probe.wait {
      if token == nil, ThreadLocal.isOnForeignStack {
        throw CaseFailure("a handler runs on the stack of a call")
      }
      return token
    } otherwise: {
      "a call did not return"
    }
  }
}
