/// A promise under test, whatever its type. Unchecked for the same reason as ``Deferred``.
struct Subject: @unchecked Sendable {
  /// The promise itself.
  let raw: Any
  let bridge: Bridge

  /// `then`, with both handlers as given.
  @discardableResult
  func then(_ onFulfilled: Handler?, _ onRejected: Handler? = nil) -> Subject {
    bridge.then(self, onFulfilled, onRejected)
  }

  /// `then` with the fulfillment handler absent.
  @discardableResult
  func onRejected(_ handler: @escaping Handler) -> Subject {
    bridge.then(self, nil, handler)
  }
}

/// A pending promise under test, and its settling calls, each of which marks the stack.
struct PendingSubject: Sendable {
  let promise: Subject
  let resolve: @Sendable (Any) -> Void
  let fulfill: @Sendable (Any) -> Void
  let reject: @Sendable (Any) -> Void
}

/// An adapter without its promise type.
///
/// All calls to and from the adapter pass through here. Subjects are unwrapped on the way in, reasons on
/// the way out. Every call into the implementation and every handler is recorded for the thread's stack.
final class Bridge: Sendable {
  let capabilities: Capabilities
  let handlerOrder: HandlerOrder
  let quiesce: (@Sendable () -> Void)?
  let makeThenable: @Sendable (ThenableSource) -> Any
  let makeError: @Sendable (Any) -> any Error
  let isCycleError: @Sendable (Any) -> Bool
  let combinators: Combinators<Any>
  let cancellation: Cancellation<Any>
  /// The original reason, from one that the implementation passes.
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
    cancellation = Cancellation(erasing: adapter.cancellation)
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

  func fulfilled(_ value: Any) -> Subject {
    ThreadLocal.stackDepth.raised { Subject(raw: makeFulfilled(export(value)), bridge: self) }
  }

  func rejected(_ reason: Any) -> Subject {
    ThreadLocal.stackDepth.raised { Subject(raw: makeRejected(export(reason)), bridge: self) }
  }

  func then(_ subject: Subject, _ onFulfilled: Handler?, _ onRejected: Handler?) -> Subject {
    ThreadLocal.stackDepth.raised {
      var (fulfilled, rejected) = (onFulfilled.map(value), onRejected.map(rejection))
      if !capabilities.contains(.absentHandlers) {
        fulfilled = fulfilled ?? Substitutes.passing
        rejected = rejected ?? Substitutes.rethrowing(makeError)
      }
      let raw = register(subject.raw, fulfilled, rejected)
      return Subject(raw: raw, bridge: self)
    }
  }

  func thenOnly(_ subject: Subject, _ onFulfilled: @escaping Handler) -> Subject {
    ThreadLocal.stackDepth.raised {
      Subject(raw: registerOnly(subject.raw, value(onFulfilled)), bridge: self)
    }
  }

  func catchOnly(_ subject: Subject, _ onRejected: @escaping Handler) -> Subject {
    ThreadLocal.stackDepth.raised {
      Subject(raw: registerCatchOnly(subject.raw, rejection(onRejected)), bridge: self)
    }
  }

  /// The handler for the implementation: its entry checks the stack below it.
  private func value(_ handler: @escaping Handler) -> Handler {
    { [self] value in try HandlerFrame.enter { result(try handler(value)) } }
  }

  private func rejection(_ handler: @escaping Handler) -> Handler {
    { [self] received in
      let unwrapped = reason(received)
      let reason = (unwrapped as? ThrownReason)?.reason ?? unwrapped
      return try HandlerFrame.enter { result(try handler(reason)) }
    }
  }

  /// A handler's result for the implementation.
  private func result(_ x: Any) -> Any {
    if x is Void, !capabilities.contains(.untypedValues) { return Substitutes.nothingOfInterest }
    return export(x)
  }
}

/// The stack information of the suite's handlers.
enum HandlerFrame {
  /// Whether the innermost handler of this thread was started below a call into the implementation, or
  /// below another handler.
  static var isOnForeignStack: Bool { ThreadLocal.stackDepth.value > 1 }

  static func enter<R>(_ body: () throws -> R) rethrows -> R {
    try ThreadLocal.stackDepth.raised(body)
  }
}

/// The implementation's view of `x`: the contents of a subject or another wrapper.
func export(_ x: Any) -> Any {
  (x as? Subject)?.raw ?? (x as? Passed<Any>)?.value ?? x
}
