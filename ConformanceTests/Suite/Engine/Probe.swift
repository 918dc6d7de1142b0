import Foundation

/// The reason why a case does not hold.
struct CaseFailure: Error {
  let message: String
  /// Whether the case waited until the deadline.
  let isHang: Bool

  init(_ message: String, isHang: Bool = false) {
    self.message = message
    self.isHang = isHang
  }
}

/// The tools of a case's body: promises of the implementation, recorders, other threads, and a deadline. Each
/// run of a case has its own probe.
final class Probe: Sendable {
  let bridge: Bridge
  /// The time at which all waits of this case end.
  let deadline: Date
  /// The time that the case may wait, in seconds.
  let limit: TimeInterval
  private let effort: Double
  /// Guards the records of this case, and signals new ones.
  let events = NSCondition()
  private static let year: TimeInterval = 365 * 24 * 60 * 60
  private let crew: Crew
  nonisolated(unsafe) private var deferred: [@Sendable () -> Void] = []
  nonisolated(unsafe) private var kept: [Any] = []
  nonisolated(unsafe) private var complaint: String?

  init(bridge: Bridge, crew: Crew, limit: TimeInterval, effort: Double) {
    self.bridge = bridge
    self.crew = crew
    (self.limit, self.effort) = (limit, effort)
    // The limit is capped, because the system counts nanoseconds and traps on an overflow.
    deadline = Date(timeIntervalSinceNow: min(limit, Self.year))
  }

  // MARK: Promises and thenables

  /// Makes a pending promise and retains it until the case has ended, because some implementations settle a
  /// promise when it is deallocated.
  func pending() -> PendingSubject {
    let pending = bridge.pending()
    keep(pending)
    return pending
  }

  func fulfilled(_ value: Any) -> Subject { bridge.fulfilled(value) }
  func rejected(_ reason: Any) -> Subject { bridge.rejected(reason) }

  /// Makes a thenable that the implementation recognizes, and whose `then` is always `function`.
  func thenable(_ function: @escaping ThenFunction) -> Passed<Any> {
    thenable(ThenableSource { function })
  }

  func thenable(_ source: ThenableSource) -> Passed<Any> { Passed(bridge.makeThenable(source)) }

  /// Returns an error that can be thrown for a reason.
  func error(for reason: Any) -> any Error { bridge.makeError(export(reason)) }

  // MARK: Recording

  func calls(_ name: String) -> Calls { Calls(name, probe: self) }

  /// Fails the case, from any thread, and ends its waits at once.
  func fail(_ message: String) {
    events.withLock {
      if complaint == nil { complaint = message }
      events.broadcast()
    }
  }

  /// Waits until `look` returns a value. `reason` describes the missing event. Both closures are called with
  /// the events locked. If `look` throws, the whole case fails, even if the caller ignores the error.
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

  /// Retains a value until the case has ended.
  func keep(_ thing: Any) { events.withLock { kept.append(thing) } }

  /// The first message that was passed to ``fail(_:)``.
  var firstComplaint: String? { events.withLock { complaint } }

  /// Ends the case by releasing the retained values. No lock is held, because the release may run a promise's
  /// code.
  func letGo() {
    let released = events.withLock {
      defer { kept = [] }
      return kept
    }
    withExtendedLifetime(released) {}
  }

  // MARK: Time and thread of actions

  /// Runs `action` on this thread when the body first waits. By then, the body has registered its handlers.
  func beforeWaiting(_ action: @escaping @Sendable () -> Void) {
    events.withLock { deferred.append(action) }
  }

  /// Runs the actions of ``beforeWaiting(_:)``.
  func runDeferred() {
    let actions = events.withLock {
      defer { deferred = [] }
      return deferred
    }
    for action in actions { action() }
  }

  /// Runs `action` on another thread, and does not wait for it.
  func elsewhere(_ action: @escaping @Sendable () -> Void) { crew.later(action) }

  /// Runs each action on its own thread, all started at one instant. Returns when all have returned.
  func together(_ actions: [@Sendable () -> Void]) throws {
    guard crew.together(actions, until: deadline) else {
      throw CaseFailure(
        "calls from \(actions.count) threads did not all return within \(limit) s", isHang: true)
    }
  }

  /// Calls `first` on subjects of a race, and `second` on other threads, so that the two calls on a subject
  /// often overlap. The other threads sleep and wake up again and again, and take the subject of the moment.
  /// Even on one processor, they thereby interrupt the first thread anywhere in a call. Returns the subjects.
  func meet<T: Sendable>(
    _ make: () throws -> T, _ first: @escaping @Sendable (T) -> Void,
    _ second: @escaping @Sendable (T) -> Void
  ) throws -> [T] {
    let enough = Date(timeIntervalSinceNow: limit / 20)
    var made: [T] = []
    while made.count < most(1_000), made.count < 30 || Date() < enough { made.append(try make()) }
    let (subjects, begun, taken) = (made, Counter(), Counter())
    let calling: @Sendable () -> Void = {
      for subject in subjects {
        begun.increment()
        first(subject)
      }
    }
    let waking: @Sendable () -> Void = {
      while taken.value < subjects.count {
        usleep(20)
        while let next = taken.take(below: begun.value) { second(subjects[next]) }
      }
    }
    try together([calling] + Array(repeating: waking, count: 4))
    return subjects
  }

  /// A number of rounds, or a length, that a run of many contexts reduces.
  func most(_ number: Int) -> Int { Int(Double(number) * effort) }

  /// The rounds of a race. A hundred rounds take milliseconds and find most defects in most runs. A busy
  /// machine runs fewer rounds, to stay within the case's time limit.
  var rounds: some Sequence<Int> {
    let enough = Date(timeIntervalSinceNow: limit / 4)
    return sequence(first: 0) { last in
      last + 1 < self.most(100) && (last < 10 || Date() < enough) ? last + 1 : nil
    }
  }

  /// Returns when all due handlers have run. The call uses the adapter's own function if there is one.
  /// Otherwise, the call waits for later handlers on the same context.
  func quiesce() throws {
    runDeferred()
    try crew.finish(until: deadline)
    if let quiesce = bridge.quiesce { return quiesce() }
    for _ in 0..<3 {
      let (d, later) = (pending(), calls("a handler of a promise that was fulfilled later"))
      d.promise.then(later.handler)
      d.fulfill(Sentinel("later"))
      try later.wait()
    }
  }
}
