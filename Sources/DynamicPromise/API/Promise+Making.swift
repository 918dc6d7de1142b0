// Making promises: pending promises with their resolvers, settled promises, and promises of tasks.

extension Promise {
  /// A pending root promise, which any code with a reference may settle, as RXPromise's. Its handlers, and
  /// those of all its descendants, run on `context` unless another context is given for them; `nil` means
  /// ``defaultContext``.
  public convenience init(on context: consuming (any ExecutionContext)? = nil) {
    self.init(pendingOn: ContextRef(context) ?? ProcessDefault.context, .open)
  }

  /// A pending root promise for a task that is notified. `onCancel` is called once with the reason if the
  /// promise is cancelled, on the cancelling stack; `onAbandon` once if it is freed unresolved.
  public convenience init(
    onCancel: (@Sendable (any Error) -> Void)?, onAbandon: (@Sendable () -> Void)? = nil
  ) {
    self.init()
    if let onCancel { addCancelHook(onCancel) }
    if let onAbandon { addAbandonHook(onAbandon) }
  }

  /// A pending promise and the resolver for its task, which does not retain the promise. `context` is its
  /// default context.
  public static func pending(
    on context: consuming (any ExecutionContext)? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) -> (promise: Promise, resolver: Resolver) {
    let promise = Promise(pendingOn: ContextRef(context) ?? ProcessDefault.context)
    return (promise, Resolver(promise, Origin(fileID: fileID, line: line)))
  }

  /// Runs `body` at once, on this stack, with the resolver of the new promise. If `body` throws, the promise
  /// is rejected with that error, unless it has been resolved already. `context` is the default context of
  /// the promise and its descendants; `nil` means ``defaultContext``. `body` does not run on `context`.
  public convenience init(
    on context: consuming (any ExecutionContext)? = nil, _ body: (Resolver) throws -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(pendingOn: ContextRef(context) ?? ProcessDefault.context)
    let resolver = Resolver(self, Origin(fileID: fileID, line: line))
    do { try body(resolver) } catch { resolver.reject(error) }
  }

  /// Runs an asynchronous operation in a new task. Its result resolves the promise; a thrown error rejects
  /// it. Cancelling the promise cancels the task; releasing the promise does not.
  @inlinable
  public convenience init<T>(
    _ operation: @escaping @Sendable () async throws -> T, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(task: operation)
    at(fileID, line)
  }

  /// An overload for asynchronous closures that return values of different types, or a bare `nil`.
  @_disfavoredOverload
  @inlinable
  public convenience init(
    _ operation: @escaping @Sendable () async throws -> Any?, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(task: operation)
    at(fileID, line)
  }

  /// Starts a task whose result resolves this promise.
  @usableFromInline
  convenience init<T>(task operation: @escaping @Sendable () async throws -> T) {
    self.init(pendingOn: ProcessDefault.context)
    let resolver = Resolver(self, nil, isOfTask: true)
    noteInputs([], "task")
    // No cancel can precede the assignment of `task`, because no other code has the promise yet.
    let task = Guarded<Task<Void, Never>?>(nil)
    resolver.onCancel { _ in task.with { $0 }?.cancel() }
    let started = Task {
      do {
        let result = erased(try await operation())
        resolver.endTask()
        resolver.resolve(result)
      } catch {
        resolver.endTask()
        resolver.reject(error)
      }
    }
    task.with { $0 = started }
  }

  /// A promise resolved with `x`. An `Error` rejects the promise, a promise or thenable is followed, and any
  /// other value fulfills it, `nil` included. `context` is the default context of the promise and its
  /// descendants; `nil` means ``defaultContext``.
  public static func resolved(_ x: Any? = (), on context: (any ExecutionContext)? = nil) -> Promise {
    resolved(x ?? missing, ContextRef(context) ?? ProcessDefault.context)
  }

  private static func resolved(_ x: Any, _ context: ContextRef) -> Promise {
    // The promise is settled from the start for plain values, which are the most frequent.
    if Resolution.isPlain(type(of: x)) { return Promise(.fulfilled(x), on: context) }
    let promise = Promise(pendingOn: context)
    let turn = Turn.current
    promise.core.resolve(with: Resolution(x), turn)
    turn.drain()
    return promise
  }

  /// A promise rejected with `reason`, which is wrapped if it is not an `Error`. `context` is the default
  /// context of the promise and its descendants; `nil` means ``defaultContext``.
  public static func rejected(_ reason: Any?, on context: (any ExecutionContext)? = nil) -> Promise {
    Promise(
      .rejected(PromiseError.asError(reason ?? missing)), on: ContextRef(context) ?? ProcessDefault.context)
  }

  /// `nil` as an `Any`.
  static var missing: Any { Any?.none as Any }

  /// Runs `body` on `context`, which is also the promise's default context; `nil` means ``defaultContext``.
  /// The result of `body` resolves the promise; a thrown error rejects it. If the promise is cancelled before
  /// `body` has started, `body` does not run. If the context drops the job, the promise is rejected with
  /// ``PromiseError/broken``.
  public static func task<T>(
    on context: (any ExecutionContext)? = nil, _ body: @escaping @Sendable () throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    let start = Promise(.fulfilled(()), on: ContextRef(context) ?? ProcessDefault.context)
    return start.add(Handler(.value, body), on: nil).at(fileID, line)
  }
}
