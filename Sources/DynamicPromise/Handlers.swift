// From the closures that users write to the pair that the machine stores.

import Dispatch

/// Wraps handlers that are not stored as they were written (`Direct`): asynchronous ones and those of actors. A wrapper
/// calls the handler and says what its static result type tells.
@usableFromInline
enum Wrap: Sendable {
  static func value<T>(_ handler: (@Sendable (Any) throws -> T)?) -> (@Sendable (Any) throws -> Resolution)? {
    guard let handler else { return nil }
    return { .of(try handler($0)) }
  }

  static func typed<V, T>(_ handler: (@Sendable (V) throws -> T)?) -> (@Sendable (Any) throws -> Resolution)?
  {
    guard let handler else { return nil }
    return { .of(try handler(try argument($0))) }
  }

  static func reason<U>(_ handler: (@Sendable (any Error) throws -> U)?) -> (
    @Sendable (any Error) throws -> Resolution
  )? {
    guard let handler else { return nil }
    return { .of(try handler($0)) }
  }

  /// An error of another type goes on as it is.
  static func typedReason<E: Error, U>(_ handler: @escaping @Sendable (E) throws -> U) -> (
    @Sendable (any Error) throws -> Resolution
  ) {
    { reason in
      guard let expected = reason as? E else { throw reason }
      return .of(try handler(expected))
    }
  }

  /// The handler's task is a promise that the child adopts, so that cancelling the child cancels the task (C4).
  static func asyncValue<V, T>(_ handler: (@Sendable (V) async throws -> T)?) -> (
    @Sendable (Any) throws -> Resolution
  )? {
    guard let handler else { return nil }
    return { value in
      let input = UncheckedBox<V>(try argument(value))
      return .running(Promise { try await handler(input.value) })
    }
  }

  static func asyncReason<U>(_ handler: (@Sendable (any Error) async throws -> U)?) -> (
    @Sendable (any Error) throws -> Resolution
  )? {
    guard let handler else { return nil }
    return { reason in .running(Promise { try await handler(reason) }) }
  }

  /// An error of another type goes on as it is, at once.
  static func asyncTypedReason<E: Error, U>(_ handler: @escaping @Sendable (E) async throws -> U) -> (
    @Sendable (any Error) throws -> Resolution
  ) {
    { reason in
      guard let expected = reason as? E else { throw reason }
      return .running(Promise { try await handler(expected) })
    }
  }

  /// The value as what a handler takes. One of `Void` takes nothing, whatever there is: where an overload has a parameter and a closure
  /// has none, that is what the closure is a handler of.
  @inlinable
  static func argument<V>(_ value: Any) throws -> V {
    if V.self == Void.self { return () as! V }
    return try cast(value)
  }

  @inlinable
  static func cast<V>(_ value: Any) throws -> V {
    guard let wanted = value as? V else {
      throw PromiseError.typeMismatch(expected: V.self, found: type(of: value))
    }
    return wanted
  }
}

extension Promise {
  /// A new child with these handlers, entered and, if this promise is settled, on its way.
  func then(
    on context: ContextRef?, _ fulfilled: (@Sendable (Any) throws -> Resolution)?,
    _ rejected: (@Sendable (any Error) throws -> Resolution)?
  ) -> Promise {
    var agenda = Agenda()
    var kind: UInt = 0
    if fulfilled != nil { kind |= State.handlesValue }
    if rejected != nil { kind |= State.handlesReason }
    let child = child(
      context: context ?? defaultContext.retained(), kind: kind,
      Handlers(fulfilled: fulfilled, rejected: rejected),
      &agenda)
    agenda.run()
    return child
  }

  func child(context: ContextRef, kind: UInt, _ handlers: Handlers, _ agenda: inout Agenda) -> Promise {
    let child = Promise(
      below: self, kind: kind, handlers, context: context, defaultContext: defaultContext)
    attach(child, &agenda)
    return child
  }

  /// A child that `attach` will enter; till then it does not hold its parent. One without handlers only passes on.
  convenience init(
    below parent: Promise, kind: UInt, _ handlers: Handlers, context: ContextRef, defaultContext: ContextRef
  ) {
    self.init(
      bits: kind == 0 ? 0 : kind | State.hasHandlers, store: kind == 0 ? Store() : Store(handlers),
      up: Up(parent: .passUnretained(parent)),
      context: context, defaultContext: defaultContext)
  }

  /// A new child with a handler for the value, entered and, if this promise is settled, on its way.
  @usableFromInline
  func then(on context: ContextRef?, _ handler: Direct?) -> Promise {
    guard let handler else { return then(on: context, nil, nil) }
    return child(on: context, kind: State.handlesValue, handler)
  }

  /// The same with handlers for other outcomes.
  @usableFromInline
  func then(on context: ContextRef?, _ handling: Handling) -> Promise {
    guard let handler = handling.direct else { return then(on: context, nil, nil) }
    return child(on: context, kind: handling.kind, handler)
  }

  /// A new child that runs `body`, which was wrapped, whatever the outcome.
  func finally(on context: ContextRef?, _ body: @escaping @Sendable () throws -> Resolution) -> Promise {
    then(on: context, Handling(finally: Direct(body: body)))
  }

  @inline(__always)
  private func child(on context: ContextRef?, kind: UInt, _ handler: Direct) -> Promise {
    let context = context ?? defaultContext.retained()
    if kind & (State.handlesValue | State.isFinally) == State.handlesValue, startsHere(context) {
      return start(handler, kind, on: context)
    }
    let child = Promise(
      bits: kind | State.isDirect | State.hasHandlers, store: Store(handler),
      up: Up(parent: .passUnretained(self)), context: context, defaultContext: defaultContext)
    attach(child)
    return child
  }
}
