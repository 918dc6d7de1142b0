/// A promise under test, with its type erased. The conformance is unchecked for the same reason as that of
/// ``Deferred``.
struct Subject: @unchecked Sendable {
  /// The promise itself.
  let raw: Any
  let bridge: Bridge

  @discardableResult
  func then(_ onFulfilled: Handler?, _ onRejected: Handler? = nil) -> Subject {
    bridge.then(self, onFulfilled, onRejected)
  }

  @discardableResult
  func onRejected(_ handler: @escaping Handler) -> Subject {
    bridge.then(self, nil, handler)
  }
}

/// A pending promise under test. Each call that settles it marks the stack.
struct PendingSubject: Sendable {
  let promise: Subject
  let resolve: @Sendable (Any) -> Void
  let fulfill: @Sendable (Any) -> Void
  let reject: @Sendable (Any) -> Void
}

/// An adapter with its promise type erased.
///
/// All calls to and from the adapter use the bridge. The bridge unwraps subjects for the implementation, and
/// reasons for the suite. It marks the thread's stack for each call into the implementation and for each
/// handler.
final class Bridge: Sendable {
  let capabilities: Capabilities
  let handlerOrder: HandlerOrder
  let quiesce: (@Sendable () -> Void)?
  let makeThenable: @Sendable (ThenableSource) -> Any
  let makeError: @Sendable (Any) -> any Error
  let isCycleError: @Sendable (Any) -> Bool
  let combinators: Combinators<Any>
  /// Returns the original reason for a reason that the implementation passes.
  let reason: @Sendable (Any) -> Any
  private let makePending: @Sendable () -> Deferred<Any>
  private let makeFulfilled: @Sendable (Any) -> Any
  private let makeRejected: @Sendable (Any) -> Any
  private let register: @Sendable (Any, Handler?, Handler?) -> Any
  private let registerOnly: @Sendable (Any, @escaping Handler) -> Any
  private let registerCatchOnly: @Sendable (Any, @escaping Handler) -> Any

  init<A: PromiseAdapter>(_ adapter: A) {
    capabilities = adapter.capabilities
    handlerOrder = adapter.handlerOrder
    quiesce = adapter.quiesce
    makeThenable = { adapter.thenable($0) }
    makeError = { adapter.error(for: $0) }
    isCycleError = { adapter.isCycleError($0) }
    combinators = Combinators(erasing: adapter.combinators)
    makePending = { adapter.pending().erased }
    makeFulfilled = { adapter.fulfilled($0) }
    makeRejected = { adapter.rejected($0) }
    register = { adapter.then($0 as! A.P, $1, $2) }
    registerOnly = { adapter.thenOnly($0 as! A.P, $1) }
    registerCatchOnly = { adapter.catchOnly($0 as! A.P, $1) }
    reason = { adapter.reason(from: $0) }
  }

  func pending() -> PendingSubject {
    let made = makePending()
    return PendingSubject(
      promise: Subject(raw: made.promise, bridge: self),
      resolve: { x in ThreadLocal.stackDepth.raised { made.resolve(export(x)) } },
      fulfill: { value in ThreadLocal.stackDepth.raised { made.fulfill(export(value)) } },
      reject: { reason in ThreadLocal.stackDepth.raised { made.reject(export(reason)) } })
  }

  func fulfilled(_ value: Any) -> Subject { called { makeFulfilled(export(value)) } }
  func rejected(_ reason: Any) -> Subject { called { makeRejected(export(reason)) } }

  func then(_ subject: Subject, _ onFulfilled: Handler?, _ onRejected: Handler?) -> Subject {
    var (fulfilled, rejected) = (onFulfilled.map(value), onRejected.map(rejection))
    if !capabilities.contains(.absentHandlers) {
      fulfilled = fulfilled ?? Substitutes.passing
      rejected = rejected ?? Substitutes.rethrowing(makeError)
    }
    return called { register(subject.raw, fulfilled, rejected) }
  }

  func thenOnly(_ subject: Subject, _ onFulfilled: @escaping Handler) -> Subject {
    called { registerOnly(subject.raw, value(onFulfilled)) }
  }

  func catchOnly(_ subject: Subject, _ onRejected: @escaping Handler) -> Subject {
    called { registerCatchOnly(subject.raw, rejection(onRejected)) }
  }

  /// Makes a call into the implementation that returns a promise. Meanwhile, the thread's stack is marked.
  private func called(_ call: () -> Any) -> Subject {
    ThreadLocal.stackDepth.raised { Subject(raw: call(), bridge: self) }
  }

  /// Wraps a handler for the implementation. While the handler runs, its thread's stack is marked.
  private func value(_ handler: @escaping Handler) -> Handler {
    { [self] value in try ThreadLocal.stackDepth.raised { result(try handler(value)) } }
  }

  private func rejection(_ handler: @escaping Handler) -> Handler {
    { [self] received in
      let unwrapped = reason(received)
      let reason = (unwrapped as? ThrownReason)?.reason ?? unwrapped
      return try ThreadLocal.stackDepth.raised { result(try handler(reason)) }
    }
  }

  /// Converts a handler's result for the implementation.
  private func result(_ x: Any) -> Any {
    if x is Void, !capabilities.contains(.untypedValues) { return Substitutes.nothingOfInterest }
    return export(x)
  }
}

/// Returns the implementation's view of `x`, by unwrapping a subject or another wrapper.
///
/// A cast that fails takes a lock of the runtime, which hides data races from Thread Sanitizer.
func export(_ x: Any) -> Any {
  let type = type(of: x)
  if type == Subject.self { return (x as! Subject).raw }
  if type == Passed<Any>.self { return (x as! Passed<Any>).value }
  return x
}
