public import DynamicPromise

/// The common protocol of promises and guarantees: a future value of type `T`.
public protocol Thenable<T>: AnyObject {
  /// The type of the value.
  associatedtype T
  /// Calls `body` with the outcome, on the stack that settles the promise.
  func pipe(to body: @escaping (Result<T>) -> Void)
  /// The outcome, or `nil` while pending.
  var result: Result<T>? { get }
  /// The wrapped promise of DynamicPromise.
  var untyped: DynamicPromise.Promise { get }
}

/// A `Thenable` that can be rejected.
public protocol CatchMixin: Thenable {}

/// PromiseKit's promise: a typed wrapper of an untyped promise.
///
/// Closures run on the main queue (`conf.Q`) unless `on:` gives another queue. `untyped` gives access to the
/// features that PromiseKit does not have. For example, `promise.untyped.root.cancel()` cancels the chain. A
/// cancelled promise is rejected with an error whose `isCancelled` is true.
///
/// A promise may be sent to any thread, even if `T` is not Sendable. In that case, only one reader may use
/// the value.
public final class Promise<T>: CatchMixin, Sendable {
  /// The wrapped promise. Its value is a `T`; a step that finds a value of another type rejects with
  /// `PromiseError.typeMismatch`.
  public let untyped: DynamicPromise.Promise

  init(trusting untyped: DynamicPromise.Promise) { self.untyped = untyped }

  /// Follows `untyped`. A value of another type rejects the promise with `PromiseError.typeMismatch`.
  public convenience init(_ untyped: DynamicPromise.Promise) {
    self.init(trusting: untyped.step(nil, nil) { (value: T) in .plain(value) })
  }

  /// A promise that wraps the untyped promise of `bridge`.
  public convenience init<U: Thenable>(_ bridge: U) where U.T == T { self.init(trusting: bridge.untyped) }

  /// Calls `body` at once with the resolver. If `body` throws, the promise is rejected. If the resolver is
  /// released unused, the promise is rejected with `PromiseError.broken` (`conf.lostPromisesStayPending`).
  public convenience init(
    resolver body: (Resolver<T>) throws -> Void, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let (promise, seal) = Promise.pending(fileID: fileID, line: line)
    self.init(trusting: promise.untyped)
    do { try body(seal) } catch { seal.reject(error) }
  }

  /// For references: `map(Promise.init(resolver:))`. A call has the line of the caller.
  @_disfavoredOverload
  public convenience init(resolver body: (Resolver<T>) throws -> Void) {
    self.init(resolver: body, fileID: #fileID, line: #line)
  }

  /// A promise that is rejected with `error`.
  public convenience init(error: any Error) { self.init(trusting: .rejected(error)) }

  /// A promise that is fulfilled with `value`.
  public static func value(_ value: T) -> Promise { Promise(trusting: .plain(value)) }

  /// A pending promise and its resolver. If the resolver is released unused, the error contains the line of
  /// this call.
  public static func pending(
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> (promise: Promise, resolver: Resolver<T>) {
    let (promise, resolver) = Untyped.pending(fileID: fileID, line: line)
    return (Promise(trusting: promise), Resolver(resolver, .pendingPromiseDeallocated))
  }

  /// For references: `let make: () -> (Promise<Int>, Resolver<Int>) = Promise.pending`.
  @_disfavoredOverload
  public static func pending() -> (promise: Promise, resolver: Resolver<T>) {
    pending(fileID: #fileID, line: #line)
  }

  /// Calls `body` with the outcome, on the stack that settles the promise.
  public func pipe(to body: @escaping (Result<T>) -> Void) { untyped.look(nil, nil, body).ignoreErrors() }

  /// The outcome, or `nil` while pending.
  public var result: Result<T>? { untyped.result.map { Result($0) } }

  /// Blocks the thread, and returns the value or throws the reason. Throws `PromiseError.wouldDeadlock` if a
  /// closure of the chain needs the main queue, and this is the main thread; in PromiseKit the call never
  /// returns. A call in a block of another serial queue blocks forever if a closure of the chain needs that
  /// queue. Logs a call on the main thread.
  public func wait() throws -> T {
    logWaiting()
    return try cast(untyped.get())
  }

  /// Awaits the value; throws the reason.
  public func async() async throws -> T { try await untyped.value(as: T.self) }
}

extension Promise where T == Void {
  /// A fulfilled promise.
  public convenience init() { self.init(trusting: .plain(())) }

  /// A fulfilled promise.
  public static var value: Promise { Promise() }
}

extension Thenable {
  /// A new promise that follows `pipe`, for a client's own type.
  public var untyped: DynamicPromise.Promise {
    let promise = Untyped()
    pipe { outcome in
      switch outcome {
      case .fulfilled(let value): promise.fulfill(.some(value))
      case .rejected(let error): promise.reject(error)
      }
    }
    return promise
  }

  /// The value, or `nil` if the promise is not fulfilled.
  public var value: T? { if case .fulfilled(let value) = result { value } else { nil } }

  /// The reason, or `nil` if the promise is not rejected.
  public var error: (any Error)? { if case .rejected(let error) = result { error } else { nil } }

  /// Whether the promise has no outcome yet.
  public var isPending: Bool { result == nil }

  /// Whether the promise has an outcome.
  public var isResolved: Bool { result != nil }

  /// Whether the promise has a value.
  public var isFulfilled: Bool { result?.isFulfilled == true }

  /// Whether the promise is rejected.
  public var isRejected: Bool { result?.isFulfilled == false }
}
