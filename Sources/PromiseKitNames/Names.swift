// The names that a source file finds with `import PromiseKitNames` alone, in place of `import PromiseKit`.
//
// The types are aliases, so one import does. A file that is compiled with `MemberImportVisibility` needs
// `import DynamicPromise` beside it, because the methods are that module's. With both, Swift no longer takes
// `[Promise]` for a type where a value may stand: there it is `Array<Promise>`.

public import DynamicPromise

/// The promise of DynamicPromise, by the name that it has in PromiseKit.
///
/// It is not generic: its value is `Any`, and a handler that names a type gets the value as that type. So
/// `Promise<User>` is written `Promise`. Three things behave otherwise than their namesakes in PromiseKit:
///
/// - `Promise()` is *pending*, and settled by whoever holds it; PromiseKit's is fulfilled. Write
///   `Promise.value(())`.
/// - Handlers run on the default context, a private concurrent one; PromiseKit's run on the main queue. Write
///   `thenOnMain`, `done(on: .main)`, or once for the process `Promise.defaultContext = .main`.
/// - `catch` without a policy hears of cancellations as well, and returns a promise that goes on; see
///   `catch(policy:_:)`.
public typealias Promise = DynamicPromise.Promise

/// A promise. Whether one can be rejected is not a matter of types here: a handler may always throw, and a
/// promise may always be cancelled, so what PromiseKit calls a guarantee is one only if nobody does either.
public typealias Guarantee = DynamicPromise.Promise

/// A promise. What PromiseKit needs a type of its own for in Objective-C, a promise of anything, is what
/// every promise is here.
public typealias AnyPromise = DynamicPromise.Promise

/// The side of the task, which PromiseKit's examples call `seal`. Its last reference gone, the promise is
/// rejected with `PromiseError.broken`; in PromiseKit it stays pending, with a warning.
public typealias Resolver = DynamicPromise.Resolver

/// A promise that cannot be settled by whoever holds it: what a promise's `future` is.
public typealias Future = DynamicPromise.Future

/// What DynamicPromise itself rejects with.
public typealias PromiseError = DynamicPromise.PromiseError

/// Where handlers run; what PromiseKit calls a dispatcher. A `DispatchQueue` is one.
public typealias Dispatcher = DynamicPromise.ExecutionContext

/// A type of error that says of itself whether it is a cancellation, as in PromiseKit.
public typealias CancellableError = DynamicPromise.CancellableError

/// Which rejections a handler is called for.
public enum CatchPolicy: Sendable {
  /// All of them.
  case allErrors
  /// All but those whose error says that it is a cancellation (`Error.isCancellation`). The error is asked
  /// and not the promise: one that was cancelled with another error counts as failed.
  case allErrorsExceptCancellation

  /// Whether a handler with this policy is called for `error`.
  func covers(_ error: any Error) -> Bool { self == .allErrors || !error.isCancellation }
}

/// What the operators of this library reject with, beside `PromiseError`.
public enum PMKError: Error, @unchecked Sendable {
  /// `compactMap` was given the first, and its closure returned no value of the second.
  case compactMap(Any, Any.Type)
  /// `firstValue` or `lastValue` of a sequence without such an element.
  case emptySequence

  /// What to reject with for a cancellation: a `CancellationError`, so that every `catch` with a policy knows
  /// it. It is no case: ask `error.isCancellation`.
  public static var cancelled: any Error { CancellationError() }
}

/// The marker that PromiseKit's additions to other classes take, as in `queue.async(.promise) { ... }`.
public enum PMKNamespacer: Sendable {
  case promise
}
