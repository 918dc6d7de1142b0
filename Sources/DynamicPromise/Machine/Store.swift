// What a promise holds, in four words that carry no tag: which of the forms it is follows from the promise's bits. So handing
// it on is four moves, where an enum with as many payloads would be asked at each of them what it is.

/// Handlers while they wait, the adopted promise while locked in, the outcome once settled. Plain memory: whoever
/// takes it out of a promise destroys or hands on what is in it.
///
///     unresolved   nothing (a root); while a handler runs (`started`) its thread's number, or zero; with `hasHandlers` a `Direct` (`isDirect`) or `Handlers`
///     locked in    with `hasTarget` the adopted promise, else nothing (a thenable was called)
///     settled      `Any` if fulfilled, `any Error` if rejected; never changes again, so it may be read without the lock
@usableFromInline
struct Store {
  @usableFromInline typealias Words = (UInt, UInt, UInt, UInt)

  /// Bound to whatever is stored only while it is looked at, so that the compiler never takes two views of it for
  /// two different things.
  @usableFromInline var words: Words = (0, 0, 0, 0)

  @inlinable init() {}

  init(value: Any) {
    self.init()
    put(value, as: Any.self)
  }

  init(reason: any Error) {
    self.init()
    put(reason, as: (any Error).self)
  }

  init(target: Promise) {
    self.init()
    put(target, as: Promise.self)
  }

  /// Stores a value of a type that fits, overwriting without destroying. The type is named, or else an existential would be
  /// opened and what it holds stored.
  @inlinable @inline(__always)
  mutating func put<Form>(_ value: Form, as form: Form.Type) {
    withUnsafeMutablePointer(to: &self) { Store.put(value, as: form, at: $0) }
  }

  /// The same at a place, moving the value.

  @inlinable @inline(__always)
  static func put<Form>(_ value: consuming Form, as form: Form.Type, at place: UnsafeMutablePointer<Store>) {
    _ = UnsafeMutableRawPointer(place).initializeMemory(as: form, to: value)
    _ = UnsafeMutableRawPointer(place).bindMemory(to: Store.self, capacity: 1)
  }

  /// Moves the content out.
  @inline(__always)
  mutating func take<Form>(as form: Form.Type) -> Form {
    withUnsafeMutablePointer(to: &words) {
      let content = UnsafeMutableRawPointer($0).bindMemory(to: form, capacity: 1).move()
      _ = UnsafeMutableRawPointer($0).bindMemory(to: Words.self, capacity: 1)
      return content
    }
  }

  /// The type of the value.
  @inline(__always)
  var dynamicType: Any.Type {
    var words = words
    return withUnsafeMutablePointer(to: &words) {
      type(of: UnsafeMutableRawPointer($0).bindMemory(to: Any.self, capacity: 1).pointee)
    }
  }

  /// A copy of the content.
  @inline(__always)
  func copy<Form>(as form: Form.Type) -> Form {
    var words = words
    return withUnsafeMutablePointer(to: &words) {
      UnsafeMutableRawPointer($0).bindMemory(to: form, capacity: 1).pointee
    }
  }

  /// Frees what a settled promise holds.
  @inline(__always)
  mutating func destroyOutcome(_ bits: UInt) {
    if bits & State.mask == State.fulfilled {
      _ = take(as: Any.self)
    } else {
      _ = take(as: (any Error).self)
    }
  }

  /// A copy of what a settled promise holds.
  @inline(__always)
  func copyOutcome(_ bits: UInt) -> Store {
    bits & State.mask == State.fulfilled
      ? Store(value: copy(as: Any.self)) : Store(reason: copy(as: (any Error).self))
  }

  /// Frees handlers.
  @inline(__always)
  mutating func destroyHandlers(_ bits: UInt) {
    if bits & State.isDirect != 0 {
      _ = take(as: Direct.self).takeHandler()
    } else {
      _ = take(as: Handlers.self)
    }
  }
}

/// The pair of closures of one `then`; either may be missing.
struct Handlers {
  var fulfilled: (@Sendable (Any) throws -> Resolution)?
  var rejected: (@Sendable (any Error) throws -> Resolution)?
}

/// What a handler came to, and left in a `Store`.
@usableFromInline
enum Found {
  /// An `Any` that is known to be neither promise, thenable, error nor optional.
  case value
  /// An `any Error`: thrown, or taken from another promise.
  case reason
  /// A `Promise`.
  case promise
  /// The `Promise` of an asynchronous handler, which returns when that is settled.
  case running
  /// An `Any` that has to be asked what it is.
  case unknown
}

/// A handler for the value alone, stored as it was written: no closure is wrapped around it. Beside it stands a function that knows the
/// handler's type; where that type is known when the caller is compiled, it needs no memory.
@usableFromInline
struct Direct {
  /// A function value of a type that `call` knows.
  @usableFromInline var handler: (UInt, UInt) = (0, 0)
  /// Calls what it finds at the pointer with the value, and leaves the result.
  @usableFromInline
  let call: @Sendable (UnsafeRawPointer, Any, UnsafeMutablePointer<Store>) throws -> Found

  /// A handler that takes any value.
  @inlinable
  init<T>(_ handler: @escaping @Sendable (Any) throws -> T) {
    call = { place, value, result in
      let handler = place.load(as: (@Sendable (Any) throws -> T).self)
      return Store.put(result: try handler(value), at: result)
    }
    keep(handler)
  }

  /// A handler that does not look at the value.
  @inlinable
  init<T>(ignoringValue handler: @escaping @Sendable () throws -> T) {
    call = { place, _, result in
      let handler = place.load(as: (@Sendable () throws -> T).self)
      return Store.put(result: try handler(), at: result)
    }
    keep(handler)
  }

  /// A handler that takes values of one type.
  @inlinable
  init<V, T>(casting handler: @escaping @Sendable (V) throws -> T) {
    call = { place, value, result in
      let handler = place.load(as: (@Sendable (V) throws -> T).self)
      return Store.put(result: try handler(try Wrap.cast(value)), at: result)
    }
    keep(handler)
  }

  @inlinable @inline(__always)
  mutating func keep<Function>(_ function: Function) {
    withUnsafeMutablePointer(to: &handler) {
      _ = UnsafeMutableRawPointer($0).initializeMemory(as: Function.self, to: function)
      _ = UnsafeMutableRawPointer($0).bindMemory(to: (UInt, UInt).self, capacity: 1)
    }
  }

  /// Moves the handler out, as a function of another type, fit only to be released.
  @inline(__always)
  func takeHandler() -> @Sendable () -> Void {
    var handler = handler
    return withUnsafeMutablePointer(to: &handler) {
      UnsafeMutableRawPointer($0).bindMemory(to: (@Sendable () -> Void).self, capacity: 1).move()
    }
  }
}

extension Store {
  /// Leaves what a handler returned, and says what its static type tells.
  @inlinable @inline(__always)
  static func put<T>(result: consuming T, at place: UnsafeMutablePointer<Store>) -> Found {
    if T.self == Promise.self {
      put(result, as: T.self, at: place)
      return .promise
    }
    put(result as Any, as: Any.self, at: place)
    if T.self == Void.self || T.self == Int.self || T.self == String.self || T.self == Bool.self
      || T.self == Double.self
    {
      return .value
    }
    return .unknown
  }

  /// Leaves what a handler of any other shape came to.
  mutating func put(_ resolution: consuming Resolution) -> Found {
    switch consume resolution {
    case .fulfilled(let value):
      put(value, as: Any.self)
      return .value
    case .rejected(let reason):
      put(reason, as: (any Error).self)
      return .reason
    case .adopt(let other):
      put(other, as: Promise.self)
      return .promise
    case .running(let other):
      put(other, as: Promise.self)
      return .running
    case .unknown(let value):
      put(value, as: Any.self)
      return .unknown
    }
  }

  /// Moves out what a handler came to.
  mutating func takeResolution(_ found: Found) -> Resolution {
    switch found {
    case .value: .fulfilled(take(as: Any.self))
    case .reason: .rejected(take(as: (any Error).self))
    case .promise: .adopt(take(as: Promise.self))
    case .running: .running(take(as: Promise.self))
    case .unknown: .unknown(take(as: Any.self))
    }
  }
}
