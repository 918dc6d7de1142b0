// The read-only face of a promise. This file is written by hand; `Future+Then` and its neighbours are made from the files
// of the same names beside `Promise.swift` (`FutureSurfaceTests` compares them and makes them anew).

/// A promise as those see it who must not settle it: everything to consume an outcome, nothing to decide it.
///
/// A task hands out `promise.future` and keeps the promise, or its ``Resolver``. Whoever has the future registers
/// handlers, awaits, looks at the state and cancels, as on the promise itself; what `then` and the others return are
/// futures again, so that no way leads back to the promise. Handed to `resolve`, returned by a handler, or given to a
/// combinator it is adopted like the promise.
///
/// To hold a future is to hold its promise (L1).
public struct Future: Sendable {
  /// For the other libraries of this package; for everybody else no way leads back.
  @usableFromInline package let promise: Promise

  init(_ promise: Promise) { self.promise = promise }

  /// Neither fulfilled nor rejected yet.
  public var isPending: Bool { promise.isPending }

  /// Fulfilled or rejected, for good.
  public var isSettled: Bool { promise.isSettled }

  /// Has a value.
  public var isFulfilled: Bool { promise.isFulfilled }

  /// Has a reason; cancelled ones are rejected, too.
  public var isRejected: Bool { promise.isRejected }

  /// Cancelled, or rejected with an error that says that it is a cancellation (C1, C7).
  public var isCancelled: Bool { promise.isCancelled }

  /// The outcome, or `nil` while pending. Reading a rejection counts as observing it (L5).
  public var result: Result<Any, any Error>? { promise.result }

  /// The nearest ancestor that still exists (L3.6); `nil` for a root.
  public var parent: Future? { promise.parent?.future }

  /// The topmost ancestor that still exists; the future itself if it has none.
  public var root: Future { promise.root.future }

  /// Cancels the promise with `CancellationError()`, and everything below it: see ``Promise/cancel(_:)``.
  ///
  /// A cancellation is the consumers' message. One among several who wants only its own share gone cancels what its `then`
  /// returned.
  public func cancel() { promise.cancel() }

  /// Cancels the promise, and everything below it: see ``Promise/cancel(_:)``.
  public func cancel(_ reason: Any) { promise.cancel(reason) }

  /// See ``Promise/ignoreErrors()``.
  @discardableResult
  public func ignoreErrors() -> Future { promise.ignoreErrors().future }

  /// See ``Promise/setTimeout(_:)``.
  public func setTimeout(_ seconds: Double) -> Future { promise.setTimeout(seconds).future }
}

extension Promise {
  /// The read-only face of this promise, for those who must not settle it.
  public var future: Future { Future(self) }

  /// Follows `other`, as ``bind(_:)`` does a promise.
  public func bind(_ other: Future) { bind(other.promise) }
}

extension Future: Hashable {
  /// Whether both are faces of the same promise.
  public static func == (left: Future, right: Future) -> Bool { left.promise === right.promise }

  /// Hashes the promise's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(promise)) }
}

extension Future: CustomStringConvertible {
  /// The state, and the outcome once settled.
  public var description: String { "Future" + promise.description.dropFirst("Promise".count) }
}

/// The resolution procedure looks through a future as through an optional, and finds the promise.
extension Future: OptionalValue {
  var heldValue: Any? { promise }
}

// What the generated files are written in.
extension Future {
  @inlinable @inline(__always)
  func reference(to context: some ExecutionContext) -> ContextRef? { promise.reference(to: context) }

  func then(
    on context: ContextRef?, _ fulfilled: (@Sendable (Any) throws -> Resolution)?,
    _ rejected: (@Sendable (any Error) throws -> Resolution)?
  ) -> Future {
    promise.then(on: context, fulfilled, rejected).future
  }

  @usableFromInline
  func then(on context: ContextRef?, _ handler: Direct?) -> Future {
    promise.then(on: context, handler).future
  }

  @usableFromInline
  func then(on context: ContextRef?, _ handling: Handling) -> Future {
    promise.then(on: context, handling).future
  }

  func finally(on context: ContextRef?, _ body: @escaping @Sendable () throws -> Resolution) -> Future {
    promise.finally(on: context, body).future
  }
}
