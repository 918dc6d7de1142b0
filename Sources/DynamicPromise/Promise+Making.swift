// Where promises come from: pending ones with their resolvers, settled ones, tasks.

extension Promise {
  /// A pending root promise. Whoever holds it may settle it. Its default context is ``defaultContext`` (X1.7).
  public convenience init() {
    let context = ProcessDefault.context ?? .shared
    self.init(bits: 0, store: Store(), up: .none, context: context, defaultContext: context)
  }

  /// A pending root promise whose handlers, and those of all its descendants, run on `context` unless they name another
  /// one (X1).
  @inlinable
  public convenience init(on context: some ExecutionContext) { self.init(reference: ContextRef(context)) }

  /// A pending root on a context that is held for it.
  @usableFromInline
  convenience init(reference: ContextRef?) {
    let context = reference ?? ProcessDefault.context ?? .shared
    self.init(bits: 0, store: Store(), up: .none, context: context, defaultContext: context)
  }

  /// A pending root promise for a task that wants to hear of a cancellation, or that nobody waits any more; `nil` for what it
  /// does not want to hear.
  ///
  /// - Parameters:
  ///   - onCancel: Runs once if the promise is cancelled, on the cancelling stack, with nothing locked (C6).
  ///   - onAbandon: Runs once if the promise goes away unresolved, on the releasing stack (L1).
  public convenience init(
    onCancel: (@Sendable (any Error) -> Void)?, onAbandon: (@Sendable () -> Void)? = nil
  ) {
    self.init()
    if let onCancel { addCancelHook(onCancel) }
    if let onAbandon { addAbandonHook(onAbandon) }
  }

  /// A pending promise and the resolver for its task. The resolver does not keep the promise, and its last reference
  /// gone while the promise is unresolved rejects it with ``PromiseError/broken`` (L2).
  public static func pending(
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> (promise: Promise, resolver: Resolver) {
    let promise = Promise()
    return (promise, Resolver(promise, Origin(fileID: fileID, line: line)))
  }

  /// The same, with a default context for the promise and its descendants (X1).
  public static func pending(
    on context: some ExecutionContext, fileID: StaticString = #fileID, line: UInt = #line
  ) -> (promise: Promise, resolver: Resolver) {
    let promise = Promise(on: context)
    return (promise, Resolver(promise, Origin(fileID: fileID, line: line)))
  }

  /// Runs `body` at once, on this stack, with the resolver of the new promise. If it throws, the promise is rejected
  /// with that error, unless it has been resolved already.
  public convenience init(
    _ body: (Resolver) throws -> Void, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init()
    run(body, Origin(fileID: fileID, line: line))
  }

  /// The same, with a default context for the promise and its descendants (X1). `body` still runs at once, on this stack.
  public convenience init(
    on context: some ExecutionContext, _ body: (Resolver) throws -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(on: context)
    run(body, Origin(fileID: fileID, line: line))
  }

  private func run(_ body: (Resolver) throws -> Void, _ origin: Origin) {
    let resolver = Resolver(self, origin)
    do { try body(resolver) } catch { resolver.reject(error) }
  }

  /// Runs an asynchronous operation in a new task; its result resolves the promise, an error that it throws rejects it.
  /// The task inherits priority and task-locals. Cancelling the promise, or letting it go with nobody waiting, cancels the task.
  public convenience init<T>(_ operation: @escaping @Sendable () async throws -> T) {
    self.init()
    start(operation)
  }

  /// For asynchronous closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  public convenience init(_ operation: @escaping @Sendable () async throws -> Any?) {
    self.init()
    start(operation)
  }

  /// Ties a new task to this promise.
  func start<T>(_ operation: @escaping @Sendable () async throws -> T) {
    let resolver = Resolver(self, nil)
    let handle = TaskHandle()
    resolver.onCancel { _ in handle.cancel() }
    resolver.onAbandon { handle.cancel() }
    handle.set(
      Task {
        do {
          let result = erased(try await operation())
          resolver.endTask()
          resolver.resolve(result)
        } catch { resolver.reject(error) }
      })
  }

  /// A promise resolved with `x`: rejected by an `Error`, following a promise or thenable, fulfilled with anything else, `nil`
  /// too (A2).
  public static func resolved(_ x: Any) -> Promise {
    // Most are plain values, and need not be pending first.
    if TypeNature(of: type(of: x)) == .plain {
      return .settled(State.fulfilled, Store(value: x), on: ProcessDefault.context ?? .shared)
    }
    let promise = Promise()
    promise.resolve(x)
    return promise
  }

  /// A promise rejected with `reason`, which is wrapped if it is not an `Error`, as `nil` is not (A3).
  public static func rejected(_ reason: Any) -> Promise {
    let reason = PromiseError.asError(reason)
    return settled(State.rejected, Store(reason: reason), on: ProcessDefault.context ?? .shared)
  }

  /// A root that was never pending. Takes over a reference for `context`.
  static func settled(_ state: UInt, _ outcome: Store, on context: ContextRef) -> Promise {
    Promise(bits: state, store: outcome, up: .none, context: context, defaultContext: context)
  }

  /// Runs `body` on `context`; its result resolves the promise, an error that it throws rejects it. The context becomes
  /// the default of the promise's descendants. Cancelled before it has started, `body` does not run; dropped by the context,
  /// the promise is rejected with ``PromiseError/broken`` (X3.6).
  public static func task<T>(
    on context: some ExecutionContext, _ body: @escaping @Sendable () throws -> T
  ) -> Promise {
    let start = Promise(on: context)
    var agenda = Agenda()
    let promise = Promise(
      below: start, kind: State.handlesValue,
      Handlers(fulfilled: { _ in .of(try body()) }, rejected: nil), context: start.defaultContext.retained(),
      defaultContext: start.defaultContext)
    start.attach(promise, &agenda)
    start.settle(Outcome.fulfilled(()), &agenda)
    agenda.run()
    return promise
  }

  /// Runs `body` on ``defaultContext``, the private concurrent one unless set; otherwise as ``task(on:_:)``.
  public static func task<T>(_ body: @escaping @Sendable () throws -> T) -> Promise {
    task(on: .inherited, body)
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  public static func task(
    on context: some ExecutionContext, _ body: @escaping @Sendable () throws -> Any?
  ) -> Promise {
    task(on: context, body)
  }

  /// For closures whose `return` statements have different types, or return a bare `nil`.
  @_disfavoredOverload
  public static func task(_ body: @escaping @Sendable () throws -> Any?) -> Promise {
    task(on: .inherited, body)
  }
}
