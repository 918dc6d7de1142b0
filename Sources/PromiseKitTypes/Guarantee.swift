public import Dispatch
public import DynamicPromise

/// PromiseKit's promise for work that cannot fail: its closures cannot throw, and it has no `catch`.
///
/// A guarantee can still be rejected: if it is cancelled (`guarantee.untyped.cancel()`), or if its `resolve`
/// function is released before a call (`conf.lostPromisesStayPending`). Its closures are then not called.
public final class Guarantee<T>: Thenable, Sendable {
  /// The wrapped promise. Its value is a `T`.
  public let untyped: DynamicPromise.Promise

  init(trusting untyped: DynamicPromise.Promise) { self.untyped = untyped }

  /// Follows `untyped`. If `untyped` is rejected, or its value is not a `T`, the guarantee is rejected.
  public convenience init(_ untyped: DynamicPromise.Promise) {
    self.init(trusting: untyped.step(nil, nil) { (value: T) in .plain(value) })
  }

  /// Calls `body` at once with the function that fulfills the guarantee.
  public convenience init(
    resolver body: (@escaping @Sendable (T) -> Void) -> Void, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    let (guarantee, resolve) = Guarantee.pending(fileID: fileID, line: line)
    self.init(trusting: guarantee.untyped)
    body(resolve)
  }

  /// For references: `map(Guarantee.init(resolver:))`.
  @_disfavoredOverload
  public convenience init(resolver body: (@escaping @Sendable (T) -> Void) -> Void) {
    self.init(resolver: body, fileID: #fileID, line: #line)
  }

  /// A guarantee that is fulfilled with `value`.
  public static func value(_ value: T) -> Guarantee { Guarantee(trusting: .plain(value)) }

  /// A pending guarantee, and the function that fulfills it.
  public static func pending(
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> (guarantee: Guarantee, resolve: @Sendable (T) -> Void) {
    let (promise, untyped) = Untyped.pending(fileID: fileID, line: line)
    let resolver = Resolver<T>(untyped, .pendingGuaranteeDeallocated)
    return (Guarantee(trusting: promise), { resolver.fulfill($0) })
  }

  /// For references: `let make: () -> (Guarantee<Int>, (Int) -> Void) = Guarantee.pending`.
  @_disfavoredOverload
  public static func pending() -> (guarantee: Guarantee, resolve: @Sendable (T) -> Void) {
    pending(fileID: #fileID, line: #line)
  }

  /// Calls `body` with the outcome, on the stack that settles the promise.
  public func pipe(to body: @escaping (Result<T>) -> Void) { untyped.look(nil, nil, body).ignoreErrors() }

  /// The outcome, or `nil` while pending.
  public var result: Result<T>? { untyped.result.map { Result($0) } }

  /// Calls `body` with the value, on `queue`.
  @discardableResult
  public func done(
    on queue: DispatchQueue? = conf.Q.return, flags: DispatchWorkItemFlags? = nil,
    _ body: @escaping (T) -> Void
  ) -> Guarantee<Void> { Guarantee<Void>(trusting: untyped.step(queue, flags) { .plain(body($0)) }) }

  /// Calls `body` with the value, on `queue`, and passes the value on.
  @discardableResult
  public func get(
    on queue: DispatchQueue? = conf.Q.return, flags: DispatchWorkItemFlags? = nil,
    _ body: @escaping (T) -> Void
  ) -> Guarantee {
    map(on: queue, flags: flags) { value in
      body(value)
      return value
    }
  }

  /// Calls `transform` with the value, on `queue`. Fulfilled with the result.
  public func map<U>(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ transform: @escaping (T) -> U
  ) -> Guarantee<U> { Guarantee<U>(trusting: untyped.step(queue, flags) { .plain(transform($0)) }) }

  /// Calls `body` with the value, on `queue`. Follows the guarantee that `body` returns.
  @discardableResult
  public func then<U>(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ body: @escaping (T) -> Guarantee<U>
  ) -> Guarantee<U> { Guarantee<U>(trusting: untyped.step(queue, flags) { body($0).untyped }) }

  /// A guarantee that is fulfilled when this guarantee is fulfilled, without the value.
  public func asVoid() -> Guarantee<Void> { map(on: nil) { _ in } }

  /// Blocks the thread and returns the value. Ends the program if the guarantee is rejected, or if a closure
  /// of the chain needs this thread, as in `Promise.wait()`. Logs a call on the main thread.
  public func wait() -> T {
    logWaiting()
    do { return try cast(untyped.get()) } catch { fatalError("no value: \(error)") }
  }

  /// Awaits the value. Ends the program if the guarantee is rejected.
  public func async() async -> T {
    do { return try await untyped.value(as: T.self) } catch { fatalError("no value: \(error)") }
  }
}

extension Guarantee where T == Void {
  /// A fulfilled guarantee.
  public convenience init() { self.init(trusting: .plain(())) }

  /// A fulfilled guarantee.
  public static var value: Guarantee { Guarantee() }
}
