import Foundation

/// The calls of one handler, or of a group of handlers, in order. Threads can wait for them.
final class Calls: Sendable {
  /// One call.
  struct Call: @unchecked Sendable {
    let value: Any
    /// Whether the handler ran on the stack of a registering or settling call, or of another handler.
    let onForeignStack: Bool
    /// The number of the job that ran the handler, zero if jobs are not logged.
    let jobNumber: Int
  }

  let name: String
  private let probe: Probe
  nonisolated(unsafe) private var log: [Call] = []

  init(_ name: String, probe: Probe) {
    self.name = name
    self.probe = probe
  }

  /// Records a call, with its stack.
  func record(_ value: Any) {
    let call = Call(
      value: value, onForeignStack: HandlerFrame.isOnForeignStack, jobNumber: ThreadLocal.jobNumber.value)
    probe.events.withLock {
      log.append(call)
      probe.events.broadcast()
    }
  }

  /// A handler that records its argument and returns an irrelevant value.
  var handler: Handler {
    { [self] value in
      record(value)
      return ()
    }
  }

  /// A handler that records its argument and returns `result`.
  func handler(returning result: Any) -> Handler {
    let result = Passed(result)
    return { [self] value in
      record(value)
      return result.value
    }
  }

  /// A handler that records its argument and throws `error`.
  func handler(throwing error: any Error) -> Handler {
    { [self] value in
      record(value)
      throw error
    }
  }

  /// The calls so far.
  var calls: [Call] { probe.events.withLock { log } }

  /// The number of calls so far.
  var count: Int { calls.count }

  /// Waits until there were at least `count` calls.
  @discardableResult
  func wait(_ count: Int = 1) throws -> [Call] {
    probe.runDeferred()
    return try probe.wait {
      log.count < count ? nil : log
    } otherwise: {
      count == 1 ? "\(name) was not called" : "\(name) was called \(log.count) times, not \(count)"
    }
  }

  /// Waits for the first call and returns its argument.
  func first() throws -> Any { try wait()[0].value }

  /// Fails if there was a call so far. Meaningful after an ordering call, such as ``Probe/quiesce()``.
  func expectNone(_ why: String) throws {
    if let call = calls.first {
      throw CaseFailure("\(name) was called, with \(describe(call.value)), \(why)")
    }
  }

  /// Fails if there were not exactly `count` calls so far.
  func expectCount(_ expected: Int) throws {
    let count = count
    if count != expected { throw CaseFailure("\(name) was called \(count) times, not \(expected)") }
  }
}

/// Passes a value between the suite's threads. Only one of them uses it at a time, or it is immutable.
struct Passed<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
