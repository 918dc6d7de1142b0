/// How an implementation cancels, for the chapter on cancellation. There is no standard; three designs are
/// in use, and an implementation may have any of them. Each that is `nil` makes its cases not expressible.
public struct Cancellation<P>: Sendable {
  /// Cancels a promise and everything below it, as RXPromise does. Promises above it continue.
  public var down: (@Sendable (_ promise: P) -> Void)?
  /// Says that the caller no longer wants a promise, as Bluebird's `cancel` does: what it follows is
  /// cancelled, too, up to the last promise that no other consumer uses.
  public var up: (@Sendable (_ promise: P) -> Void)?
  /// Makes a token, which cancels whatever was tied to it.
  public var token: (@Sendable () -> CancellationToken<P>)?
  /// Whether the reason of a rejection says that the promise was cancelled. By default whether it is a
  /// `CancellationError`.
  public var isCancellation: @Sendable (_ reason: Any) -> Bool = { $0 is CancellationError }

  /// None.
  public init() {}
}

/// A token of an implementation.
public struct CancellationToken<P>: Sendable {
  /// A promise that follows its argument, and is cancelled with the token.
  public let tie: @Sendable (_ promise: P) -> P
  /// Cancels the token.
  public let cancel: @Sendable () -> Void

  /// Makes one of its two functions.
  public init(tie: @escaping @Sendable (_ promise: P) -> P, cancel: @escaping @Sendable () -> Void) {
    self.tie = tie
    self.cancel = cancel
  }
}

extension Cancellation where P == Any {
  /// The cancellation of an adapter, without its promise type.
  init<Typed>(erasing typed: Cancellation<Typed>) {
    self.init()
    if let cancel = typed.down { down = { promise in cancel(promise as! Typed) } }
    if let cancel = typed.up { up = { promise in cancel(promise as! Typed) } }
    if let make = typed.token { token = { make().erased } }
    isCancellation = typed.isCancellation
  }
}

extension CancellationToken {
  /// The same without the promise's type.
  fileprivate var erased: CancellationToken<Any> {
    CancellationToken<Any>(tie: { promise in tie(promise as! P) }, cancel: cancel)
  }
}
