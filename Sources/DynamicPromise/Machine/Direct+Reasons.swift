// Handlers for rejections, and two handlers at once, as they were written.

extension Direct {
  /// A handler for reasons of any type, as a structure holds it (`Written`).
  @usableFromInline
  struct ForReason<U>: Sendable {
    @usableFromInline let function: @Sendable (any Error) throws -> U

    @inlinable
    init(_ function: @escaping @Sendable (any Error) throws -> U) { self.function = function }
  }

  /// A handler for reasons of any type.
  @inlinable
  init<U>(catching handler: @escaping @Sendable (any Error) throws -> U) {
    self.init(retaining: ForReason(handler)) { raw, _, reason, result in
      let handler = raw.function(as: ForReason<U>.self)
      return Store.put(result: try handler.function(reason!), at: result)
    }
  }

  /// A handler for reasons of one type. An error of another type goes on as it is.
  @inlinable
  init<E: Error, U>(catchingTyped handler: @escaping @Sendable (E) throws -> U) {
    self.init(retaining: handler) { raw, _, reason, result in
      let handler = raw.function(as: (@Sendable (E) throws -> U).self)
      guard let expected = reason as? E else { throw reason! }
      return Store.put(result: try handler(expected), at: result)
    }
  }

  /// A handler for values of one type, and one for reasons, which the function that knows their types has captured: the only piece of
  /// memory for the two, because they fill a promise's four words, and that function needs a place, too.
  @inlinable
  init<V, T, U>(
    casting fulfilled: @escaping @Sendable (V) throws -> T,
    catching rejected: @escaping @Sendable (any Error) throws -> U
  ) {
    self.init(retaining: fulfilled) { raw, value, reason, result in
      if let reason { return Store.put(result: try rejected(reason), at: result) }
      let fulfilled = raw.function(as: (@Sendable (V) throws -> T).self)
      return Store.put(result: try fulfilled(try Wrap.argument(value)), at: result)
    }
  }
}
