// Handlers isolated to the main actor, as they were written. A function of an actor that need not be waited for is called like any other
// one; that the right thread does it is tested first, and stops the program if not. The main queue is the main actor's executor.

extension Direct {
  /// A handler that does not look at the outcome.
  @inlinable
  init<T>(ignoringOnMain handler: @escaping @MainActor () throws -> T) {
    self.init(retaining: handler) { raw, _, _, result in
      MainActor.preconditionIsolated()
      let handler = raw.function(as: (@Sendable () throws -> T).self)
      return Store.put(result: try handler(), at: result)
    }
  }

  /// A handler that takes values of one type.
  @inlinable
  init<V, T>(castingOnMain handler: @escaping @MainActor (V) throws -> T) {
    self.init(retaining: handler) { raw, value, _, result in
      MainActor.preconditionIsolated()
      let handler = raw.function(as: (@Sendable (V) throws -> T).self)
      return Store.put(result: try handler(try Wrap.argument(value)), at: result)
    }
  }

  /// A handler for reasons of any type.
  @inlinable
  init<U>(catchingOnMain handler: @escaping @MainActor (any Error) throws -> U) {
    self.init(retaining: ForReasonOnMain(handler)) { raw, _, reason, result in
      MainActor.preconditionIsolated()
      let handler = raw.function(as: ForReason<U>.self)
      return Store.put(result: try handler.function(reason!), at: result)
    }
  }

  /// A handler for reasons of one type. An error of another type goes on as it is.
  @inlinable
  init<E: Error, U>(catchingTypedOnMain handler: @escaping @MainActor (E) throws -> U) {
    self.init(retaining: handler) { raw, _, reason, result in
      guard let expected = reason as? E else { throw reason! }
      MainActor.preconditionIsolated()
      let handler = raw.function(as: (@Sendable (E) throws -> U).self)
      return Store.put(result: try handler(expected), at: result)
    }
  }

  /// A handler for values of one type, and one for reasons.
  @inlinable
  init<V, T, U>(
    castingOnMain fulfilled: @escaping @MainActor (V) throws -> T,
    catching rejected: @escaping @MainActor (any Error) throws -> U
  ) {
    self.init(retaining: fulfilled) { raw, value, reason, result in
      MainActor.preconditionIsolated()
      if let reason {
        let rejected = unsafeBitCast(ForReasonOnMain(rejected), to: ForReason<U>.self)
        return Store.put(result: try rejected.function(reason), at: result)
      }
      let fulfilled = raw.function(as: (@Sendable (V) throws -> T).self)
      return Store.put(result: try fulfilled(try Wrap.argument(value)), at: result)
    }
  }

  /// A handler for reasons of any type, as a structure holds it (`Written`).
  @usableFromInline
  struct ForReasonOnMain<U>: Sendable {
    @usableFromInline let function: @MainActor (any Error) throws -> U

    @inlinable
    init(_ function: @escaping @MainActor (any Error) throws -> U) { self.function = function }
  }
}
