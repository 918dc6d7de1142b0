// Handlers as they were written, and closures counted by hand. `Direct+Reasons`, `Direct+Main` and
// `Direct+Finally` have more shapes.

/// A handler stored as it was written: no closure is wrapped around it. Beside it stands a function that knows the
/// handler's type; where that type is known when the caller is compiled, it needs no memory.
@usableFromInline
struct Direct: Sendable {
  /// Calls a handler, whose type it knows, with the outcome, and leaves the result. There is a reason if the parent was rejected; then
  /// the value says nothing.
  @usableFromInline
  typealias Call = @Sendable (RawFunction, Any, (any Error)?, UnsafeMutablePointer<Store>) throws -> Found

  @usableFromInline let handler: RawFunction
  /// A `Call`.
  @usableFromInline let call: RawFunction

  init(handler: RawFunction, call: RawFunction) {
    self.handler = handler
    self.call = call
  }

  @inlinable
  init<Handler>(retaining handler: Handler, _ call: @escaping Call) {
    self.handler = RawFunction(retaining: handler)
    self.call = RawFunction(retaining: Written(call: call))
  }

  /// As a member of a structure a function is what it was written as. Handed over as itself where any type will do, it is wrapped if it
  /// takes or returns what fits into registers, because there every type has to look the same.
  @usableFromInline
  struct Written: Sendable {
    @usableFromInline let call: Call

    @inlinable
    init(call: @escaping Call) { self.call = call }
  }

  /// A handler that takes any value.
  @inlinable
  init<T>(_ handler: @escaping @Sendable (Any) throws -> T) {
    self.init(retaining: handler) { raw, value, _, result in
      let handler = raw.function(as: (@Sendable (Any) throws -> T).self)
      return Store.put(result: try handler(value), at: result)
    }
  }

  /// A handler that does not look at the outcome.
  @inlinable
  init<T>(ignoring handler: @escaping @Sendable () throws -> T) {
    self.init(retaining: handler) { raw, _, _, result in
      let handler = raw.function(as: (@Sendable () throws -> T).self)
      return Store.put(result: try handler(), at: result)
    }
  }

  /// A handler that takes values of one type.
  @inlinable
  init<V, T>(casting handler: @escaping @Sendable (V) throws -> T) {
    self.init(retaining: handler) { raw, value, _, result in
      let handler = raw.function(as: (@Sendable (V) throws -> T).self)
      return Store.put(result: try handler(try Wrap.argument(value)), at: result)
    }
  }
}

/// A closure of any type as the two words that it is, counted by hand.
@usableFromInline
struct RawFunction: Sendable {
  @usableFromInline var code: UInt = 0
  @usableFromInline var context: UInt = 0

  @inlinable init() {}

  @inlinable
  init(code: UInt, context: UInt) {
    self.code = code
    self.context = context
  }

  /// Owns one reference to what the closure captures.
  @inlinable
  init<Function>(retaining function: Function) {
    (code, context) = unsafeBitCast(function, to: (UInt, UInt).self)
    if let captures { _ = captures.retain() }
    withExtendedLifetime(function) {}
  }

  /// What the closure captures: an object of the compiler's making, counted like any other one.
  @inlinable
  var captures: Unmanaged<Captures>? {
    UnsafeRawPointer(bitPattern: context).map { Unmanaged.fromOpaque($0) }
  }

  /// The closure, for the type that it was made from.
  @inlinable
  func function<Function>(as type: Function.Type = Function.self) -> Function {
    unsafeBitCast((code, context), to: type)
  }

  @inlinable
  func release() {
    if let captures { captures.release() }
  }

  /// Stands for the objects in which closures keep what they capture.
  @usableFromInline
  final class Captures: Sendable {}
}
