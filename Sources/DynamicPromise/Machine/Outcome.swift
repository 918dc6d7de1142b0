// Outcomes, and the kinds of values that the resolution procedure distinguishes.

/// The value or reason of a settled promise.
@usableFromInline
enum Outcome: @unchecked Sendable {
  case fulfilled(Any)
  case rejected(any Error)

  var result: Result<Any, any Error> {
    switch self {
    case .fulfilled(let value): .success(value)
    case .rejected(let reason): .failure(reason)
    }
  }

  /// The value; `()` for a rejection.
  var value: Any { if case .fulfilled(let value) = self { value } else { () } }

  @inline(__always) var reason: (any Error)? { if case .rejected(let reason) = self { reason } else { nil } }

  @inline(__always) var isFulfilled: Bool { if case .fulfilled = self { true } else { false } }
}

/// The result of the resolution procedure for a value, or for the result of a handler.
@usableFromInline
enum Resolution: @unchecked Sendable {
  case fulfilled(Any)
  case rejected(any Error)
  /// A promise, which is followed.
  case promise(Promise)
  /// The promise of an asynchronous handler. The handler has returned when this promise has settled.
  case task(Promise)
  indirect case thenable(any Thenable)

  /// The resolution of a handler's result. If the static type decides, the dynamic type is not examined.
  @inlinable @inline(__always)
  static func of<T>(_ value: T) -> Resolution {
    if T.self == Void.self || T.self == Int.self || T.self == String.self || T.self == Bool.self
      || T.self == Double.self
    {
      return .fulfilled(value)
    }
    if T.self == Promise.self { return .promise(value as! Promise) }
    if T.self == Resolution.self { return value as! Resolution }
    return Resolution(erased(value))
  }

  init(_ outcome: Outcome) {
    switch outcome {
    case .fulfilled(let value): self = .fulfilled(value)
    case .rejected(let reason): self = .rejected(reason)
    }
  }

  /// Examines the dynamic type of the value, and unwraps optionals.
  @usableFromInline
  init(_ value: Any) {
    var x = value
    while true {
      switch Kind.of(type(of: x)) {
      case .plain:
        self = .fulfilled(x)
      case .promise:
        self = .promise(x as! Promise)
      case .thenable:
        // If the conformance is isolated to an actor, the value counts as plain: the type conforms, but the
        // cast of the instance fails.
        self = (x as? any Thenable).map { .thenable($0) } ?? .fulfilled(x)
      case .error:
        self = .rejected(x as! any Error)
      case .optional:
        if let held = (x as! any OptionalValue).heldValue {
          x = held
          continue
        }
        self = .fulfilled(x)
      }
      return
    }
  }

  /// The promise that a handler returned.
  var promise: Promise? {
    switch self {
    case .promise(let promise), .task(let promise): promise
    case .fulfilled, .rejected, .thenable: nil
    }
  }

  /// The error that a handler returned or threw.
  var error: (any Error)? { if case .rejected(let error) = self { error } else { nil } }

  /// The outcome, unless another promise or a thenable decides it.
  var outcome: Outcome? {
    switch self {
    case .fulfilled(let value): .fulfilled(value)
    case .rejected(let reason): .rejected(reason)
    case .promise, .task, .thenable: nil
    }
  }

  // MARK: Kinds of values

  /// Whether values of this type are plain: no promises, thenables, errors or optionals.
  @inline(__always) static func isPlain(_ type: Any.Type) -> Bool { Kind.of(type) == .plain }

  /// Whether a value is `nil`, at any depth of optionals.
  static func isNil(_ value: Any) -> Bool { unwrapped(value) == nil }

  /// The value inside all layers of optionals; `nil` if there is none.
  static func unwrapped(_ value: Any) -> Any? {
    var value = value
    while Kind.of(type(of: value)) == .optional {
      guard let held = (value as! any OptionalValue).heldValue else { return nil }
      value = held
    }
    return value
  }

  /// The error in `value`, at any depth of optionals. A thenable may also be an error.
  static func error(in value: Any) -> (any Error)? {
    guard let held = unwrapped(value) else { return nil }
    let kind = Kind.of(type(of: held))
    return kind == .error || kind == .thenable ? held as? any Error : nil
  }

  /// The kind of a type's values.
  private enum Kind: UInt {
    case plain = 1
    case promise, thenable, error, optional

    @inline(__always)
    static func of(_ type: Any.Type) -> Kind {
      Kind(rawValue: TypeMemory.answer(for: type) { Kind(asking: $0).rawValue }) ?? Kind(asking: type)
    }

    private init(asking type: Any.Type) {
      switch type {
      case is Promise.Type: self = .promise
      case is any Thenable.Type: self = .thenable
      case is any Error.Type: self = .error
      case is any OptionalValue.Type: self = .optional
      default: self = .plain
      }
    }
  }
}

/// Unwraps one layer of `Optional`, whatever the wrapped type.
protocol OptionalValue { var heldValue: Any? { get } }

extension Optional: OptionalValue { var heldValue: Any? { map { erased($0) } } }

/// Converts `value` to `Any`, unless it is an `Any` already. Swift would wrap an `Any` in a second `Any`, and
/// again at each step of a chain whose handlers return `Any`.
@inlinable @inline(__always)
func erased<T>(_ value: T) -> Any {
  T.self == Any.self ? flattened(value) : value
}

/// Casts `value` to `U`. Without a cast, existential types would be nested.
@inlinable
func flattened<T, U>(_ value: T, as type: U.Type = Any.self) -> U { value as! U }
