/// The combinators that an implementation has, for the chapter on ECMAScript's combinators. If a member is
/// `nil`, its cases are not expressible.
///
///     var combinators: Combinators<MyPromise> {
///       var mine = Combinators<MyPromise>()
///       mine.all = { inputs in MyPromise.all(inputs) }
///       return mine
///     }
public struct Combinators<P>: Sendable {
  /// Makes a promise from a list of inputs, which may mix promises, thenables and plain values.
  public typealias Group = @Sendable (_ inputs: [Any]) -> P
  /// A closure of the suite that a combinator calls.
  public typealias Callback = @Sendable () throws -> Any

  /// `Promise.all`. It fulfills with an array in the order of the inputs; see ``values``.
  public var all: Group?
  /// `Promise.allSettled`. It fulfills with the outcomes in the order of the inputs; see ``settlements``.
  public var allSettled: Group?
  /// `Promise.any`. If no input is fulfilled, it rejects with all reasons in the order of the inputs; see
  /// ``errors``.
  public var any: Group?
  /// `Promise.race`.
  public var race: Group?
  /// `Promise.prototype.finally`.
  public var finally: (@Sendable (_ promise: P, _ callback: @escaping Callback) -> P)?
  /// `Promise.resolve`.
  public var resolve: (@Sendable (_ x: Any) -> P)?
  /// `Promise.reject`.
  public var reject: (@Sendable (_ reason: Any) -> P)?
  /// `Promise.withResolvers`. The suite calls only the functions `resolve` and `reject`.
  public var withResolvers: (@Sendable () -> Deferred<P>)?
  /// `Promise.try`.
  public var `try`: (@Sendable (_ callback: @escaping Callback) -> P)?

  /// Calls `Promise.all`, `allSettled`, `any` or `race`, selected by name, on an iterator that throws `error`
  /// after the inputs. `nil` if the combinators accept only a `Sequence`, which cannot throw.
  public var throwingIterator: (@Sendable (_ combinator: String, _ inputs: [Any], _ error: any Error) -> P)?

  /// Whether a list of inputs may include plain values and thenables. The default is `true`.
  public var takesAnything = true
  /// The elements of the value that `all` fulfills with. The default accepts an `[Any]`.
  public var values: @Sendable (_ value: Any) -> [Any]? = { $0 as? [Any] }
  /// The outcomes in the value that `allSettled` fulfills with. The default accepts a `[Result<Any, any
  /// Error>]`.
  public var settlements: @Sendable (_ value: Any) -> [Settlement]? = { value in
    (value as? [Result<Any, any Error>])?.map { result in
      switch result {
      case .success(let value): .fulfilled(value)
      case .failure(let reason): .rejected(reason)
      }
    }
  }
  /// The reasons inside the reason that `any` rejects with. The default accepts an `[Any]`.
  public var errors: @Sendable (_ reason: Any) -> [Any]? = { $0 as? [Any] }

  /// Creates a description without combinators.
  public init() {}
}

/// The outcome of one input of `allSettled`.
public enum Settlement: @unchecked Sendable {
  /// The input's value.
  case fulfilled(Any)
  /// The input's reason.
  case rejected(Any)
}

extension Combinators where P == Any {
  /// Erases the promise type of an adapter's combinators.
  init<Typed>(erasing typed: Combinators<Typed>) {
    self.init()
    if let group = typed.all { all = { @Sendable inputs in group(inputs) } }
    if let group = typed.allSettled { allSettled = { @Sendable inputs in group(inputs) } }
    if let group = typed.any { any = { @Sendable inputs in group(inputs) } }
    if let group = typed.race { race = { @Sendable inputs in group(inputs) } }
    if let typed = typed.finally { finally = { promise, callback in typed(promise as! Typed, callback) } }
    if let typed = typed.resolve { resolve = { x in typed(x) } }
    if let typed = typed.reject { reject = { reason in typed(reason) } }
    if let make = typed.withResolvers { withResolvers = { make().erased } }
    if let iterate = typed.throwingIterator { throwingIterator = { iterate($0, $1, $2) } }
    if let run = typed.try { `try` = { callback in run(callback) } }
    takesAnything = typed.takesAnything
    values = typed.values
    settlements = typed.settlements
    errors = typed.errors
  }
}

extension Deferred {
  var erased: Deferred<Any> {
    Deferred<Any>(promise: promise, resolve: resolve, fulfill: fulfill, reject: reject)
  }
}
