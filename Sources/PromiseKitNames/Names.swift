// The names for a source file that imports only `PromiseKitNames`, in place of `PromiseKit`.
//
// One import is enough, because the types are aliases. With `MemberImportVisibility` a file also needs
// `import DynamicPromise`, because the methods belong to that module. With both imports, Swift does not parse
// `[Promise]` as a type where a value is possible; write `Array<Promise>` there.

public import DynamicPromise

/// The promise of DynamicPromise.
///
/// `Promise<User>` is written `Promise`, because this type is not generic: its value is `Any`. A handler with
/// a typed input receives the value as that type. There are three differences from PromiseKit:
///
/// - `Promise()` is *pending*, and its owner settles it; in PromiseKit it is fulfilled. For a fulfilled
///   promise, write `Promise.value(())`.
/// - Handlers run on the default context, a private concurrent context; in PromiseKit they run on the main
///   queue. For the main queue, write `thenOnMain` or `done(on: .main)`, or set
///   `Promise.defaultContext = .main` once.
/// - `catch` without a policy also handles cancellations, and returns a promise for the handler's result; see
///   `catch(policy:_:)`.
public typealias Promise = DynamicPromise.Promise

/// A promise. DynamicPromise has no type for promises that cannot be rejected: a handler may always throw,
/// and a promise may always be cancelled.
public typealias Guarantee = DynamicPromise.Promise

/// A promise. PromiseKit's `AnyPromise`, for Objective-C, has a value of any type, like every promise of
/// DynamicPromise.
public typealias AnyPromise = DynamicPromise.Promise

/// Settles a promise; PromiseKit's examples call it `seal`. When the last reference to an unused resolver is
/// released, the promise is rejected with `PromiseError.broken`. In PromiseKit the promise stays pending,
/// with a warning.
public typealias Resolver = DynamicPromise.Resolver

/// A promise without methods that settle it: the type of a promise's `future`.
public typealias Future = DynamicPromise.Future

/// The errors with which DynamicPromise itself rejects.
public typealias PromiseError = DynamicPromise.PromiseError

/// The context of handlers, called a dispatcher in PromiseKit. A `DispatchQueue` is a dispatcher.
public typealias Dispatcher = DynamicPromise.ExecutionContext

/// An error type that declares which of its values mean a cancellation, as in PromiseKit.
public typealias CancellableError = DynamicPromise.CancellableError

/// The rejections for which a handler is called.
public enum CatchPolicy: Sendable {
  /// All rejections.
  case allErrors
  /// All rejections except those whose error means a cancellation (`Error.isCancellation`). Only the error
  /// counts: a promise that was cancelled with another error counts as failed.
  case allErrorsExceptCancellation

  /// Whether a handler with this policy is called for `error`.
  func covers(_ error: any Error) -> Bool { self == .allErrors || !error.isCancellation }
}

/// The errors with which the operators of this library reject, besides `PromiseError`.
public enum PMKError: Error, @unchecked Sendable {
  /// The closure of `compactMap` returned `nil`. Contains the closure's input and its result type.
  case compactMap(Any, Any.Type)
  /// A sequence has no element for `firstValue` or `lastValue`.
  case emptySequence

  /// The error for a rejection that means a cancellation: a `CancellationError`, which every `catch` with a
  /// policy recognizes. Use `error.isCancellation` to recognize it, because it is not a case of this type.
  public static var cancelled: any Error { CancellationError() }
}

/// The marker argument of PromiseKit's additions to other classes, as in `queue.async(.promise) { ... }`.
public enum PMKNamespacer: Sendable {
  case promise
}
