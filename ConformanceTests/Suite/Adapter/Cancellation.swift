/// The ways in which an implementation cancels, for the chapter on cancellation.
///
/// There is no standard. Three designs are in use, and an implementation may have several. If a member is
/// `nil`, its cases are not expressible.
public struct Cancellation<P>: Sendable {
  /// Cancels a promise and everything below it, as RXPromise does. Promises above it continue.
  public var down: (@Sendable (_ promise: P) -> Void)?
  /// Cancels a promise that the caller no longer needs, as Bluebird's `cancel` does. The chain above that
  /// promise is also cancelled, up to the last promise that no other consumer uses.
  public var up: (@Sendable (_ promise: P) -> Void)?
  /// Makes a token that cancels every promise tied to it.
  public var token: (@Sendable () -> CancellationToken<P>)?
  /// Whether the reason of a rejection means that the promise was cancelled. The default accepts every
  /// `CancellationError`.
  public var isCancellation: @Sendable (_ reason: Any) -> Bool = { $0 is CancellationError }

  /// Creates a description without any way to cancel.
  public init() {}
}

/// A token of an implementation.
public struct CancellationToken<P>: Sendable {
  /// Returns a promise that follows its argument and is cancelled with the token.
  public let tie: @Sendable (_ promise: P) -> P
  /// Cancels the token.
  public let cancel: @Sendable () -> Void

  /// Creates a token from its two functions.
  public init(tie: @escaping @Sendable (_ promise: P) -> P, cancel: @escaping @Sendable () -> Void) {
    self.tie = tie
    self.cancel = cancel
  }
}

extension Cancellation where P == Any {
  /// Erases the promise type of an adapter's cancellation.
  init<Typed>(erasing typed: Cancellation<Typed>) {
    self.init()
    if let cancel = typed.down { down = { promise in cancel(promise as! Typed) } }
    if let cancel = typed.up { up = { promise in cancel(promise as! Typed) } }
    if let make = typed.token { token = { make().erased } }
    isCancellation = typed.isCancellation
  }
}

extension CancellationToken {
  fileprivate var erased: CancellationToken<Any> {
    CancellationToken<Any>(tie: { promise in tie(promise as! P) }, cancel: cancel)
  }
}
