import Foundation

/// Why a case does not hold.
struct CaseFailure: Error {
  let message: String
  /// Whether the case waited until the deadline.
  let isHang: Bool

  init(_ message: String, isHang: Bool = false) {
    self.message = message
    self.isHang = isHang
  }
}

/// What the body of a case works with: promises of the implementation, recorders, other threads, and a
/// deadline. One per case and run.
final class Probe: Sendable {
  let bridge: Bridge
  /// When all waits of this case end.
  let deadline: Date
  /// For how long the case may wait, in seconds.
  let limit: TimeInterval
  /// Guards all that is recorded in this case, and signals when something is.
  let events = NSCondition()
  private static let year: TimeInterval = 365 * 24 * 60 * 60
  private let crew: Crew
  nonisolated(unsafe) private var deferred: [@Sendable () -> Void] = []
  nonisolated(unsafe) private var kept: [Any] = []
  nonisolated(unsafe) private var complaint: String?

  init(bridge: Bridge, crew: Crew, limit: TimeInterval) {
    self.bridge = bridge
    self.crew = crew
    self.limit = limit
    // Not "never" either, where the limit is infinite: the system counts nanoseconds, and traps where they
    // are too many.
    deadline = Date(timeIntervalSinceNow: min(limit, Self.year))
  }

  // MARK: Promises and thenables

  /// A pending promise, which is held until the case has ended: some implementations settle a promise that is
  /// freed, and that is no subject of the suite.
  func pending() -> PendingSubject {
    let pending = bridge.pending()
    keep(pending)
    return pending
  }

  func fulfilled(_ value: Any) -> Subject { bridge.fulfilled(value) }
  func rejected(_ reason: Any) -> Subject { bridge.rejected(reason) }

  /// A thenable of the implementation's kind, whose `then` is always `function`.
  func thenable(_ function: @escaping ThenFunction) -> Passed<Any> {
    thenable(ThenableSource { function })
  }

  func thenable(_ source: ThenableSource) -> Passed<Any> { Passed(bridge.makeThenable(source)) }

  /// Makes something throwable of a reason.
  func error(for reason: Any) -> any Error { bridge.makeError(export(reason)) }

  // MARK: Recording

  func calls(_ name: String) -> Calls { Calls(name, probe: self) }

  /// Fails the case, from wherever this is called. Waits end at once.
  func fail(_ message: String) {
    events.withLock {
      if complaint == nil { complaint = message }
      events.broadcast()
    }
  }

  /// Waits until `look` sees something; `reason` says what did not happen. Both are called with the events
  /// locked. What `look` throws fails the case, not only the caller.
  func wait<T>(for look: () throws -> T?, otherwise reason: () -> String) throws -> T {
    events.lock()
    defer { events.unlock() }
    while true {
      do {
        if let seen = try look() { return seen }
      } catch let failure as CaseFailure {
        if complaint == nil { complaint = failure.message }
        events.broadcast()
      }
      if let complaint { throw CaseFailure(complaint) }
      guard events.wait(until: deadline) else {
        throw CaseFailure("\(reason()) within \(limit) s", isHang: true)
      }
    }
  }

  /// Keeps something alive until the case has ended.
  func keep(_ thing: Any) { events.withLock { kept.append(thing) } }

  /// Throws the first message that ``fail(_:)`` was called with.
  func throwComplaint() throws {
    if let firstComplaint { throw CaseFailure(firstComplaint) }
  }

  var firstComplaint: String? { events.withLock { complaint } }

  /// The end of the case: releases what was kept, with nothing locked, because the release may run a
  /// promise's code.
  func letGo() {
    let released = events.withLock {
      defer { kept = [] }
      return kept
    }
    withExtendedLifetime(released) {}
  }

  // MARK: When and where

  /// Runs `action` on this thread when the body first waits for something: after whatever it registers.
  func beforeWaiting(_ action: @escaping @Sendable () -> Void) {
    events.withLock { deferred.append(action) }
  }

  /// Runs `action` on another thread when the body first waits for something.
  func elsewhereBeforeWaiting(_ action: @escaping @Sendable () -> Void) {
    beforeWaiting { [self] in elsewhere(action) }
  }

  /// Runs what ``beforeWaiting(_:)`` put off.
  func runDeferred() {
    let actions = events.withLock {
      defer { deferred = [] }
      return deferred
    }
    for action in actions { action() }
  }

  /// Runs `action` on another thread, soon.
  func elsewhere(_ action: @escaping @Sendable () -> Void) { crew.later(action) }

  /// Runs the actions on a thread each, started at the same instant; returns when all have returned.
  func together(_ actions: [@Sendable () -> Void]) throws {
    guard crew.together(actions, until: deadline) else {
      throw CaseFailure(
        "calls from \(actions.count) threads did not all return within \(limit) s", isHang: true)
    }
  }

  /// Returns when all handlers that are due have run: by the adapter's own function if it has one, else when
  /// later handlers on the same context have run.
  func quiesce() throws {
    runDeferred()
    try crew.finish(until: deadline)
    if let quiesce = bridge.quiesce { return quiesce() }
    for _ in 0..<3 {
      let later = calls("a handler of a promise that was fulfilled later")
      pendingThenFulfilled(later)
      try later.wait()
    }
  }

  private func pendingThenFulfilled(_ later: Calls) {
    let d = pending()
    d.promise.then(later.handler)
    d.fulfill(Sentinel("later"))
  }
}
