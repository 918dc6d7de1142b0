// Converts what a handler receives to the argument of a user's closure.

@usableFromInline
enum Wrap: Sendable {
  /// The value as a `V`. If `V` is `Void`, the value is ignored: the compiler treats a closure without a
  /// parameter as a closure with a parameter of type `Void`.
  @inlinable
  static func argument<V>(_ value: Any) throws -> V {
    if V.self == Void.self { return () as! V }
    return try cast(value)
  }

  @inlinable
  static func cast<V>(_ value: Any) throws -> V {
    // Optionals are unwrapped, because a cast to `Any?` would add another layer, which would never be `nil`.
    if V.self == Any?.self { return withoutOptionals(value) as! V }
    if V.self == Any.self { return flattened(value, as: V.self) }
    if let same = sameType(value, as: V.self) { return same }
    guard let wanted = value as? V, type(of: value) == V.self || accepts(value, V.self) else {
      throw mismatch(value, V.self)
    }
    return wanted
  }

  /// Whether the value is not `nil`, or the type has a `nil`. A cast of `nil` to `AnyObject`, `AnyHashable`,
  /// or a protocol to which `Optional` conforms would succeed.
  @usableFromInline
  static func accepts(_ value: Any, _ type: Any.Type) -> Bool {
    !Resolution.isNil(value) || type == Any.self || type is any OptionalValue.Type
  }

  @usableFromInline
  static func mismatch(_ value: Any, _ expected: Any.Type) -> PromiseError {
    .mismatch(value, expected: expected)
  }

  @usableFromInline
  static func withoutOptionals(_ value: Any) -> Any? { Resolution.unwrapped(value) }

  /// The reason as an `E`: an error of that type, or a value that `reject` has wrapped. Any other reason is
  /// thrown, and is thus passed on. If `E` is `Void`, the reason is ignored.
  @inlinable
  static func expected<E>(_ error: (any Error)?) throws -> E {
    let reason = reason(error)
    if E.self == Void.self { return () as! E }
    if let expected = reason as? E { return expected }
    guard case .rejected(let wrapped)? = reason as? PromiseError, let expected = wrapped as? E else {
      throw reason
    }
    return expected
  }

  /// The reason of a handler that runs for a rejection only.
  @inlinable @inline(__always)
  static func reason(_ error: (any Error)?) -> any Error { error ?? PromiseError.broken }
}
