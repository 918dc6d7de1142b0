import PromisesAPlusSuite

/// The adapter for the promises of a JavaScript engine.
struct EngineAdapter: PromiseAdapter {
  let engine: Engine
  /// The context whose jobs run the engine's jobs. Without a context, the engine runs its jobs after each
  /// call.
  private var context: SteppedContext?

  init(_ engine: Engine) { self.engine = engine }

  /// The same adapter for programs: the engine runs jobs only on request.
  var holding: EngineAdapter {
    engine.request("hold")
    return self
  }

  func on(_ context: SteppedContext) -> EngineAdapter? {
    var copy = self
    copy.context = context
    return copy
  }

  var hasOneContext: Bool { true }

  var quiesce: (@Sendable () -> Void)? { { [engine] in engine.request("jobs") } }

  func isCycleError(_ reason: Any) -> Bool {
    (reason as? EngineError)?.description.contains("cycle") ?? false
  }

  // MARK: Promises

  func pending() -> Deferred<EnginePromise> { deferred("pending") }

  func then(_ promise: EnginePromise, _ onFulfilled: Handler?, _ onRejected: Handler?) -> EnginePromise {
    made("then", engine.number(of: promise), handler(onFulfilled), handler(onRejected))
  }

  func thenable(_ source: ThenableSource) -> Any {
    let thenable = EngineThenable(source: source)
    let getter = engine.closure { _ in
      guard let then = try source.readThen() else { return 0 }
      return engine.closure { functions in
        try then(function(functions[0]), function(functions[1]))
        return 0
      }
    }
    call("thenable", engine.number(of: thenable), getter)
    return thenable
  }

  /// Returns a function that a thenable receives. The engine passes the function's number.
  private func function(_ number: Any) -> @Sendable (Any) -> Void {
    let number = number as? Int ?? 0
    return { x in call("invoke", number, engine.number(of: x)) }
  }

  private func handler(_ handler: Handler?) -> Int {
    guard let handler else { return 0 }
    return engine.closure { arguments in engine.number(of: try handler(arguments[0])) }
  }

  private func deferred(_ operation: String) -> Deferred<EnginePromise> {
    let number = engine.newNumber()
    call(operation, number)
    let settle = { @Sendable (how: String, x: Any) in _ = call("settle", number, how, engine.number(of: x)) }
    return Deferred(
      promise: engine.promise(number),
      resolve: { settle("resolve", $0) }, fulfill: { settle("resolve", $0) },
      reject: { settle("reject", $0) })
  }

  /// Requests an operation and returns its promise.
  private func made(_ operation: String, _ arguments: Any...) -> EnginePromise {
    engine.promise(call(operation, [engine.newNumber()] + arguments))
  }

  @discardableResult
  private func call(_ operation: String, _ arguments: Any...) -> Int { call(operation, arguments) }

  @discardableResult
  private func call(_ operation: String, _ arguments: [Any]) -> Int {
    defer { context?.enqueue { engine.request("jobs") } }
    return engine.request(operation, arguments)
  }

  // MARK: Combinators

  var combinators: Combinators<EnginePromise> {
    var all = Combinators<EnginePromise>()
    (all.all, all.allSettled, all.any, all.race) = (
      group("all"), group("allSettled"), group("any"), group("race")
    )
    (all.resolve, all.reject) = (single("resolve"), single("reject"))
    if has("withResolvers") { all.withResolvers = { deferred("withResolvers") } }
    if has("try") { all.try = { made("try", callback($0)) } }
    if has("finally") { all.finally = { made("finally", engine.number(of: $0), callback($1)) } }
    all.throwingIterator = { combinator, inputs, error in
      iterated(combinator, inputs, engine.number(of: error))
    }
    all.settlements = { $0 as? [Settlement] }
    all.errors = { ($0 as? EngineError)?.errors }
    return all
  }

  private func has(_ combinator: String) -> Bool { engine.combinators.contains(combinator) }

  private func group(_ combinator: String) -> Combinators<EnginePromise>.Group? {
    guard has(combinator) else { return nil }
    return { inputs in iterated(combinator, inputs, 0) }
  }

  private func iterated(_ combinator: String, _ inputs: [Any], _ error: Int) -> EnginePromise {
    made("group", combinator, error, inputs.map { engine.number(of: $0) })
  }

  private func single(_ combinator: String) -> (@Sendable (Any) -> EnginePromise)? {
    guard has(combinator) else { return nil }
    return { x in made("single", combinator, engine.number(of: x)) }
  }

  private func callback(_ callback: @escaping Combinators<EnginePromise>.Callback) -> Int {
    engine.closure { _ in engine.number(of: try callback()) }
  }
}

/// A thenable of the suite, which the engine identifies by its number.
final class EngineThenable: Sendable {
  let source: ThenableSource

  init(source: ThenableSource) { self.source = source }
}
