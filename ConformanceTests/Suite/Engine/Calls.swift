import Foundation

/// The recorded calls of one handler or group of handlers, in order. Threads can wait for calls.
final class Calls: Sendable {
  struct Call: @unchecked Sendable {
    let value: Any
    /// Whether the handler ran on the stack of a registering or settling call, or of another handler.
    let onForeignStack: Bool
    /// The number of the job that ran the handler. It is zero if jobs are not logged.
    let jobNumber: Int
  }

  let name: String
  private let probe: Probe
  nonisolated(unsafe) private var log: [Call] = []

  init(_ name: String, probe: Probe) {
    self.name = name
    self.probe = probe
  }

  /// Records a call and the state of its stack.
  func record(_ value: Any) {
    let call = Call(
      value: value, onForeignStack: ThreadLocal.isOnForeignStack, jobNumber: ThreadLocal.jobNumber.value)
    probe.events.withLock {
      log.append(call)
      probe.events.broadcast()
    }
  }

  /// A handler that records its argument and returns an irrelevant value.
  var handler: Handler { handler(returning: ()) }

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

  var calls: [Call] { probe.events.withLock { log } }

  var count: Int { calls.count }

  @discardableResult
  func wait(_ count: Int = 1) throws -> [Call] {
    probe.runDeferred()
    return try probe.wait {
      log.count < count ? nil : log
    } otherwise: {
      count == 1 ? "\(name) was not called" : "\(name) was called \(log.count) times, not \(count)"
    }
  }

  func first() throws -> Any { try wait()[0].value }

  /// Fails if the handler has been called. Call ``Probe/quiesce()`` first, so that all due handlers have run.
  func expectNone(_ why: String) throws {
    if let call = calls.first {
      throw CaseFailure("\(name) was called, with \(describe(call.value)), \(why)")
    }
  }

  /// Fails if the number of calls so far is not `expected`.
  func expectCount(_ expected: Int) throws {
    let count = count
    if count != expected { throw CaseFailure("\(name) was called \(count) times, not \(expected)") }
  }
}

/// Passes a value between the suite's threads. The value is immutable, or only one thread uses it at a time.
struct Passed<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
