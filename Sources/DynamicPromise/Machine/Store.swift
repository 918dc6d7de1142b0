// What a promise holds, in four words that carry no tag: which of the forms it is follows from the promise's bits. So handing
// it on is four moves, where an enum with as many payloads would be asked at each of them what it is.

/// Handlers while they wait, the adopted promise while locked in, the outcome once settled. Plain memory: whoever
/// takes it out of a promise destroys or hands on what is in it.
///
///     unresolved   nothing (a root); while a handler runs (`started`) its thread's number, or zero; with `hasHandlers` a `Direct` (`isDirect`) or `Handlers`
///     locked in    with `hasTarget` the adopted promise, else nothing (a thenable was called)
///     settled      `Any` if fulfilled, `any Error` if rejected; never changes again, so it may be read without the lock
@usableFromInline
struct Store: Sendable {
  @usableFromInline typealias Words = (UInt, UInt, UInt, UInt)

  @usableFromInline var words: Words = (0, 0, 0, 0)

  @inlinable init() {}

  /// While a handler runs: on which thread, for the question whether somebody waits for himself (`HeldUp.swift`).
  init(runner: UInt) {
    self.init()
    words.0 = runner
  }

  init(value: consuming Any) {
    self.init()
    Store.put(value, at: &self)
  }

  init(reason: any Error) {
    self.init()
    put(reason: reason)
  }

  init(target: Promise) {
    self.init()
    words.0 = UInt(bitPattern: Unmanaged.passRetained(target).toOpaque())
  }

  init(_ handlers: Handlers) {
    self.init()
    let value = handlers.fulfilled.map { RawFunction(retaining: $0) } ?? RawFunction()
    let reason = handlers.rejected.map { RawFunction(retaining: $0) } ?? RawFunction()
    words = (value.code, value.context, reason.code, reason.context)
  }

  init(_ direct: Direct) {
    self.init()
    words = (direct.handler.code, direct.handler.context, direct.call.code, direct.call.context)
  }

  // What follows is called, never inlined, because a compiler that sees plain words become a reference counts that reference as
  // borrowed: taken out of a variable, it would never be freed.

  @inline(never)
  mutating func put(reason: any Error) {
    _withUnprotectedUnsafeMutablePointer(to: &self) {
      _ = UnsafeMutableRawPointer($0).initializeMemory(as: (any Error).self, to: reason)
    }
  }

  @inline(never)
  mutating func takeValue() -> Any {
    _withUnprotectedUnsafeMutablePointer(to: &self) {
      UnsafeMutableRawPointer($0).bindMemory(to: Any.self, capacity: 1).move()
    }
  }

  @inline(never)
  mutating func takeReason() -> any Error {
    _withUnprotectedUnsafeMutablePointer(to: &self) {
      UnsafeMutableRawPointer($0).bindMemory(to: (any Error).self, capacity: 1).move()
    }
  }

  @inline(never)
  private mutating func destroyValue() {
    _ = _withUnprotectedUnsafeMutablePointer(to: &self) {
      UnsafeMutableRawPointer($0).bindMemory(to: Any.self, capacity: 1).deinitialize(count: 1)
    }
  }

  @inline(never)
  private mutating func destroyReason() {
    _ = _withUnprotectedUnsafeMutablePointer(to: &self) {
      UnsafeMutableRawPointer($0).bindMemory(to: (any Error).self, capacity: 1).deinitialize(count: 1)
    }
  }
}

extension Store {
  /// Leaves a value at a place, moving it.
  @inlinable @inline(__always)
  static func put(_ value: consuming Any, at place: UnsafeMutablePointer<Store>) {
    UnsafeMutableRawPointer(place).initializeMemory(as: Any.self, to: value)
    _ = UnsafeMutableRawPointer(place).bindMemory(to: Store.self, capacity: 1)
  }

  /// The adopted promise, uncounted.
  var targetReference: Unmanaged<Promise> { .fromOpaque(UnsafeRawPointer(bitPattern: words.0)!) }

  /// Moves the adopted promise out.
  func takeTarget() -> Promise { targetReference.takeRetainedValue() }

  /// The adopted promise.
  func target() -> Promise { targetReference.takeUnretainedValue() }

  /// Moves a direct handler out.
  @inline(__always)
  func takeDirect() -> Direct {
    Direct(
      handler: RawFunction(code: words.0, context: words.1),
      call: RawFunction(code: words.2, context: words.3)
    )
  }

  /// The handlers; the store keeps its own.
  func handlers() -> Handlers {
    Handlers(
      fulfilled: words.0 == 0 ? nil : RawFunction(code: words.0, context: words.1).function(),
      rejected: words.2 == 0 ? nil : RawFunction(code: words.2, context: words.3).function())
  }

  /// Frees handlers of either kind.
  @inline(__always)
  func destroyHandlers() {
    RawFunction(code: words.0, context: words.1).release()
    RawFunction(code: words.2, context: words.3).release()
  }

  /// The type of the value.
  @inline(__always)
  var dynamicType: Any.Type {
    var words = words
    return _withUnprotectedUnsafeMutablePointer(to: &words) {
      type(of: UnsafeMutableRawPointer($0).bindMemory(to: Any.self, capacity: 1).pointee)
    }
  }

  /// A copy of the value.
  @inline(__always)
  func value() -> Any {
    var words = words
    return _withUnprotectedUnsafeMutablePointer(to: &words) {
      UnsafeMutableRawPointer($0).bindMemory(to: Any.self, capacity: 1).pointee
    }
  }

  /// A copy of the reason.
  func reason() -> any Error {
    var words = words
    return _withUnprotectedUnsafeMutablePointer(to: &words) {
      UnsafeMutableRawPointer($0).bindMemory(to: (any Error).self, capacity: 1).pointee
    }
  }

  /// Frees what a settled promise holds.
  @inline(__always)
  mutating func destroyOutcome(_ bits: UInt) {
    if bits & State.mask == State.fulfilled { destroyValue() } else { destroyReason() }
  }

  /// Moves out what a settled promise holds.
  mutating func takeOutcome(_ bits: UInt) -> Outcome {
    bits & State.mask == State.fulfilled ? .fulfilled(takeValue()) : .rejected(takeReason())
  }

  /// A copy of what a settled promise holds.
  @inline(__always)
  func copyOutcome(_ bits: UInt) -> Store {
    bits & State.mask == State.fulfilled ? Store(value: value()) : Store(reason: reason())
  }
}

/// The pair of closures of one `then`; either may be missing.
struct Handlers {
  var fulfilled: (@Sendable (Any) throws -> Resolution)?
  var rejected: (@Sendable (any Error) throws -> Resolution)?
}

/// What a handler came to, and left in a `Store`.
@usableFromInline
enum Found: Sendable {
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

extension Store {
  /// Leaves what a handler returned, and says what its static type tells.
  @inlinable @inline(__always)
  static func put<T>(result: consuming T, at place: UnsafeMutablePointer<Store>) -> Found {
    if T.self == Promise.self {
      place.pointee.words.0 = UInt(bitPattern: Unmanaged.passRetained(result as! Promise).toOpaque())
      return .promise
    }
    put(erased(result), at: place)
    if T.self == Void.self || T.self == Int.self || T.self == String.self || T.self == Bool.self
      || T.self == Double.self
    {
      return .value
    }
    return .unknown
  }

  /// Leaves what a handler of any other shape came to.
  mutating func put(_ resolution: Resolution) -> Found {
    switch resolution {
    case .fulfilled(let value):
      self = Store(value: value)
      return .value
    case .rejected(let reason):
      put(reason: reason)
      return .reason
    case .adopt(let other):
      self = Store(target: other)
      return .promise
    case .running(let other):
      self = Store(target: other)
      return .running
    case .unknown(let value):
      self = Store(value: value)
      return .unknown
    }
  }

  /// Whether what a handler came to is known, or found, to be a value that resolves nothing further.
  @inline(__always)
  func isPlain(_ found: Found) -> Bool {
    found == .value || found == .unknown && TypeNature(of: dynamicType) == .plain
  }

  /// Moves out what a handler came to.
  mutating func takeResolution(_ found: Found) -> Resolution {
    switch found {
    case .value: .fulfilled(takeValue())
    case .reason: .rejected(takeReason())
    case .promise: .adopt(takeTarget())
    case .running: .running(takeTarget())
    case .unknown: .unknown(takeValue())
    }
  }
}
