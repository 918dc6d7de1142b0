// What a promise settles with, and what a value is to the resolution procedure.

/// A value of any type as one reference: what is copied when a value goes from promise to promise is that,
/// and not the value with all that its type has to be asked about copying.
@usableFromInline
final class Value: @unchecked Sendable {
  @usableFromInline let any: Any

  @usableFromInline
  init(_ any: Any) { self.any = any }

  @usableFromInline static let void = Value(())
}

/// What a promise has settled with.
@usableFromInline
enum Outcome: Sendable {
  case fulfilled(Value)
  case rejected(any Error)

  var result: Result<Any, any Error> {
    switch self {
    case .fulfilled(let value): .success(value.any)
    case .rejected(let reason): .failure(reason)
    }
  }

  @inline(__always) var reason: (any Error)? {
    if case .rejected(let reason) = self { reason } else { nil }
  }

  @inline(__always) var isFulfilled: Bool {
    if case .fulfilled = self { true } else { false }
  }
}

/// What the resolution procedure makes of a value, or of what a handler has returned.
@usableFromInline
enum Resolution: @unchecked Sendable {
  case outcome(Outcome)
  /// A promise, which is adopted.
  case promise(Promise)
  /// The promise of an asynchronous handler, which has returned when that is settled.
  case task(Promise)
  indirect case thenable(any Thenable)

  /// Of a handler's result. Uses the static type where it says enough, so that the value need not be asked.
  @inlinable @inline(__always)
  static func of<T>(_ value: T) -> Resolution {
    if T.self == Void.self { return .outcome(.fulfilled(.void)) }
    if T.self == Int.self || T.self == String.self || T.self == Bool.self
      || T.self == Double.self
    {
      return .outcome(.fulfilled(Value(value)))
    }
    if T.self == Promise.self { return .promise(value as! Promise) }
    return Resolution(Value(erased(value)))
  }

  init(_ x: Any) { self.init(Value(x)) }

  /// Looks at the value's type, and through optionals.
  @usableFromInline
  init(_ value: Value) {
    var value = value
    while true {
      let x = value.any
      switch Kind.of(type(of: x)) {
      case .plain:
        self = .outcome(.fulfilled(value))
      case .promise:
        self = .promise(x as! Promise)
      case .thenable:
        // A conformance may be isolated to an actor: the type has it, and the instance cannot be used by it
        // here.
        self = (x as? any Thenable).map { .thenable($0) } ?? .outcome(.fulfilled(value))
      case .error:
        self = .outcome(.rejected(x as! any Error))
      case .optional:
        if let held = (x as! any OptionalValue).heldValue {
          value = Value(held)
          continue
        }
        self = .outcome(.fulfilled(value))
      }
      return
    }
  }

  /// The promise that a handler returned.
  var promise: Promise? {
    switch self {
    case .promise(let promise), .task(let promise): promise
    case .outcome, .thenable: nil
    }
  }

  /// The error that a handler returned or threw.
  var error: (any Error)? { if case .outcome(let outcome) = self { outcome.reason } else { nil } }

  // MARK: What a type says of its values

  /// Whether a value of this type is just a value.
  @inline(__always)
  static func isPlain(_ type: Any.Type) -> Bool { Kind.of(type) == .plain }

  /// Whether a value is `nil`, however deep in optionals.
  static func isNil(_ value: Any) -> Bool { unwrapped(value) == nil }

  /// What `value` holds, however deep in optionals; `nil` if that is nothing.
  static func unwrapped(_ value: Any) -> Any? {
    var value = value
    while Kind.of(type(of: value)) == .optional {
      guard let held = (value as! any OptionalValue).heldValue else { return nil }
      value = held
    }
    return value
  }

  /// The error that `value` is, looked for in optionals; a thenable may be one, too.
  static func error(in value: Any) -> (any Error)? {
    guard let held = unwrapped(value) else { return nil }
    let kind = Kind.of(type(of: held))
    return kind == .error || kind == .thenable ? held as? any Error : nil
  }

  /// What a type says of its values.
  private enum Kind: UInt {
    case plain = 1
    case promise, thenable, error, optional

    @inline(__always)
    static func of(_ type: Any.Type) -> Kind {
      Kind(rawValue: TypeMemory.answer(for: type) { Kind(asking: $0).rawValue }) ?? Kind(asking: type)
    }

    private init(asking type: Any.Type) {
      if type == Promise.self {
        self = .promise
      } else if type is any Thenable.Type {
        self = .thenable
      } else if type is any Error.Type {
        self = .error
      } else if type is any OptionalValue.Type {
        self = .optional
      } else {
        self = .plain
      }
    }
  }
}

/// Looks through one layer of `Optional` without knowing what it wraps.
protocol OptionalValue {
  var heldValue: Any? { get }
}

extension Optional: OptionalValue {
  var heldValue: Any? { map { erased($0) } }
}

/// `value` as `Any`; one that is an `Any` already as it is. The language would put it into a second one, and
/// a chain whose handlers pass `Any` on would wrap it once more at each step.
@inlinable @inline(__always)
func erased<T>(_ value: T) -> Any {
  T.self == Any.self ? flattened(value) : value
}

/// A cast between existential types does not nest them.
@inlinable
func flattened<T, U>(_ value: T, as type: U.Type = Any.self) -> U { value as! U }
