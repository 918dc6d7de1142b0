// Which outcomes handlers are for.

/// Handlers for one outcome or both, and which: bits of `State`.
@usableFromInline
struct Handling: Sendable {
  @usableFromInline let direct: Direct?
  @usableFromInline let kind: UInt

  @inlinable
  init(_ direct: Direct?, kind: UInt) {
    self.direct = direct
    self.kind = kind
  }

  /// `nil` stands for no handler.
  @inlinable
  init<V, T, U>(
    _ fulfilled: (@Sendable (V) throws -> T)?, _ rejected: (@Sendable (any Error) throws -> U)?
  ) {
    guard let fulfilled else {
      self.init(catching: rejected)
      return
    }
    guard let rejected else {
      self.init(Direct(casting: fulfilled), kind: State.handlesValue)
      return
    }
    self.init(
      Direct(casting: fulfilled, catching: rejected), kind: State.handlesValue | State.handlesReason)
  }

  /// `nil` stands for no handler.
  @inlinable
  init<U>(catching handler: (@Sendable (any Error) throws -> U)?) {
    guard let handler else {
      self.init(nil, kind: 0)
      return
    }
    self.init(Direct(catching: handler), kind: State.handlesReason)
  }

  @inlinable
  init<U>(catchingAny handler: @escaping @Sendable () throws -> U) {
    self.init(Direct(ignoring: handler), kind: State.handlesReason)
  }

  @inlinable
  init<E: Error, U>(catchingTyped handler: @escaping @Sendable (E) throws -> U) {
    self.init(Direct(catchingTyped: handler), kind: State.handlesReason)
  }

  /// A body that runs whatever the outcome.
  @inlinable
  init(finally body: Direct) {
    self.init(body, kind: State.handlesValue | State.handlesReason | State.isFinally)
  }
}

extension Handling {
  /// `nil` stands for no handler.
  @inlinable
  init<V, T, U>(
    onMain fulfilled: (@MainActor (V) throws -> T)?, _ rejected: (@MainActor (any Error) throws -> U)?
  ) {
    guard let fulfilled else {
      self.init(catchingOnMain: rejected)
      return
    }
    guard let rejected else {
      self.init(Direct(castingOnMain: fulfilled), kind: State.handlesValue)
      return
    }
    self.init(
      Direct(castingOnMain: fulfilled, catching: rejected), kind: State.handlesValue | State.handlesReason)
  }

  /// `nil` stands for no handler.
  @inlinable
  init<U>(catchingOnMain handler: (@MainActor (any Error) throws -> U)?) {
    guard let handler else {
      self.init(nil, kind: 0)
      return
    }
    self.init(Direct(catchingOnMain: handler), kind: State.handlesReason)
  }

  @inlinable
  init<U>(catchingAnyOnMain handler: @escaping @MainActor () throws -> U) {
    self.init(Direct(ignoringOnMain: handler), kind: State.handlesReason)
  }

  @inlinable
  init<E: Error, U>(catchingTypedOnMain handler: @escaping @MainActor (E) throws -> U) {
    self.init(Direct(catchingTypedOnMain: handler), kind: State.handlesReason)
  }
}
