// Prints a program as Swift that compiles against the public API.

extension Program {
  /// A source file with a function `program()` that performs the same operations.
  public var swiftSource: String {
    var source = Source()
    let (first, lanes) = parts
    source.body(first, depth: 1)
    for lane in lanes where !lane.isEmpty { source.closure("Thread.detachNewThread {", lane, 1) }
    let names = source.names.sorted()
    let promises = names.map { "  nonisolated(unsafe) var p\($0): Promise?\n" }
    let many = source.many.sorted().map { "  nonisolated(unsafe) var m\($0): [Promise?] = []\n" }
    let others =
      source.bags.sorted().map { "  nonisolated(unsafe) var b\($0): CancelBag? = CancelBag()\n" }
      + source.results.sorted().map { "  nonisolated(unsafe) var s\($0): Promise.Results?\n" }
    let resolvers = source.resolvers.sorted().map { "  nonisolated(unsafe) var r\($0): Resolver?\n" }
    return """
      // seed \(seed), \(threads) threads
      import Foundation
      import DynamicPromise
      import DynamicPromiseTesting

      struct Failure: Error { var number = 0; var object: AnyObject? = nil }
      final class OnDeinit: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        deinit { body() }
      }
      struct Call: Thenable { var then: ThenMethod? }
      struct AtOnce: ExecutionContext { func execute(_ job: @escaping @Sendable () -> Void) { job() } }
      func nest(_ depth: Int, _ body: @escaping @Sendable () -> Void) {
        guard depth > 0 else { return body() }
        let promise = Promise(on: .immediate)
        promise.then { (_: Any) in nest(depth - 1, body) }
        promise.fulfill(nil)
      }

      func program() {
        let a = TestContext(), b = TestContext()
        let serialQueue = DispatchQueue(label: "serial")
        let concurrentQueue = DispatchQueue(label: "concurrent", attributes: .concurrent)
      \((promises + many + resolvers + others).joined())\(source.text)\(hasEnd ? Self.end : "")}

      """
  }

  private static let end = """
      // Here everything is settled, oldest first: roots by hand or by a cancel, the rest by cancels; all jobs
      // and timers run, all promises are released.

    """
}

/// The growing text of a program.
struct Source {
  var text = ""
  var names: Set<Int> = []
  var resolvers: Set<Int> = []
  var bags: Set<Int> = []
  var results: Set<Int> = []
  /// The first numbers of the rows of many promises. `counts` has the length of each row.
  var many: Set<Int> = []
  private var counts: [Int: Int] = [:]

  mutating func line(_ line: String, _ depth: Int) {
    text += String(repeating: "  ", count: depth) + line + "\n"
  }

  mutating func body(_ operations: [Operation], depth: Int) {
    for operation in operations { self.operation(operation, depth) }
  }

  /// Adds a closure that performs these operations.
  mutating func closure(_ head: String, _ operations: [Operation], _ depth: Int) {
    line(head, depth)
    body(operations, depth: depth + 1)
    line("}", depth)
  }

  mutating func promise(_ number: Int) -> String {
    if number <= 0 { return number == 0 ? "0" : "Call { resolve, _ in resolve(0) }" }
    if let (first, _) = counts.first(where: { number >= $0.key && number < $0.key + $0.value }) {
      return "m\(first)[\(number - first)]"
    }
    names.insert(number)
    return "p\(number)"
  }

  mutating func resolver(_ number: Int) -> String {
    resolvers.insert(number)
    return "r\(number)"
  }

  mutating func operation(_ operation: Operation, _ depth: Int) {
    switch operation {
    case .root(let number, let place):
      if World.isOpen(number) {
        line("\(promise(number)) = Promise(on: \(name(place)))", depth)
      } else {
        line("(\(promise(number)), \(resolver(number))) = Promise.pending(on: \(name(place)))", depth)
        if World.isAwaited(resolverOf: number) { line("\(resolver(number))?.alwaysCallsBack()", depth) }
      }
    case .child(let number, let parent, let step, let place, let handler):
      child(number, promise(parent), step, place, handler, depth)
    case .many(let number, let count, let place, let shape, let step, let context):
      many(number, count, place, shape, step, context, depth)
    case .nested(let deep, let operations): closure("nest(\(deep)) {", operations, depth)
    case .made(let number, let place, let operations, let answer):
      made(number, place, operations, answer, depth)
    case .settle(let number, let answer):
      let isOpen = !resolvers.contains(number)
      settle(isOpen ? promise(number) : resolver(number), answer, depth, isResolver: !isOpen)
    case .resolve(let number, let answer): settle(resolver(number), answer, depth, isResolver: true)
    case .cancel(let number, let reason):
      line("\(promise(number))?.cancel(Failure(number: \(reason)))", depth)
    case .withdraw(let number, let reason):
      line("\(promise(number))?.withdraw(Failure(number: \(reason)))", depth)
    case .hook(let event, _, let root, let operations):
      closure(
        "\(resolver(root))?.\(event.rawValue) {\(event == .abandon ? "" : " _ in")", operations, depth)
    case .elsewhere: line("// Blocks here until a handler on a queue has run.", depth)
    case .whenLost(let operations):
      closure("Promise.onUnhandledRejection = { _ in", operations, depth)
    case .observe(let subject, let place, let operations, let capture):
      if let capture { payload(capture, "c\(capture.number)", depth) }
      let context = place.map { "(on: \(name($0)))" } ?? ""
      for observer in ["onSuccess", "onFail", "onCancel"] {
        line("\(promise(subject))?.\(observer)\(context) { _ in", depth)
        if let capture { line("withExtendedLifetime(c\(capture.number)) {}", depth + 1) }
        body(operations, depth: depth + 1)
        line("}", depth)
      }
    case .ignoreErrors(let number): line("\(promise(number))?.ignoreErrors()", depth)
    case .cancelsWhenUnwanted(let number): line("\(promise(number))?.cancelsWhenUnwanted()", depth)
    case .drop(let number): line("\(promise(number)) = nil", depth)
    case .loseResolver(let number): line("\(resolver(number)) = nil", depth)
    case .step(let place): line("\(place.rawValue).step()", depth)
    case .tick(let place): line("\(place.rawValue).advanceToNextTimer()", depth)
    case .drain(let place): line("\(place.rawValue).drain()", depth)
    case .dropJobs(let place): line("\(place.rawValue).dropAll()", depth)
    case .bagged(let number, let parent, let bag):
      bags.insert(bag)
      line("\(promise(number)) = b\(bag).flatMap { \(promise(parent))?.cancelled(with: $0) }", depth)
    case .dropBag(let bag):
      bags.insert(bag)
      line("b\(bag) = nil", depth)
    case .combine(let number, .limited, let inputs, _):
      line("\(promise(number)) = \(promise(inputs[0]))?.timeout(1.0, cancelling: true)", depth)
    case .combine(let number, .reflect, let inputs, _):
      line("\(promise(number)) = \(promise(inputs[0]))?.reflect()", depth)
    case .combine(let number, let combinator, let inputs, let cancels):
      let inputs = "[\(inputs.map { promise($0) }.joined(separator: ", "))] as [Any?]"
      let rest = combinator == .allSettled ? "" : ", cancellingRest: \(cancels.rest)"
      let call = "\(combinator.rawValue)(\(inputs), cancellingInputs: \(cancels.inputs)\(rest))"
      line("\(promise(number)) = Promise.\(call)", depth)
    case .series(let number, let series, let inputs, let place, let tasks):
      self.series(number, series, inputs, place, tasks, depth)
    case .finished(let number, let top, let place):
      let context = place.map { "on: \(name($0))" } ?? ""
      line("\(promise(number)) = \(promise(top))?.finished(\(context))", depth)
    case .results(let number, let inputs):
      results.insert(number)
      let inputs = inputs.map { promise($0) }.joined(separator: ", ")
      line("s\(number) = Promise.results(of: [\(inputs)].compactMap { $0 })", depth)
    case .dropResults(let number):
      results.insert(number)
      line("s\(number) = nil", depth)
    case .await(let number, let cancels):
      let value = cancels ? "cancellingValue" : "value"
      line("let t\(depth) = Task { [p = \(promise(number))] in try? await p?.\(value) }", depth)
      if cancels { line("t\(depth).cancel()", depth) }
    case .wait(let number): line("_ = try? \(promise(number))?.get(timeout: 1e-6)", depth)
    case .look(let number): line("_ = (\(promise(number))?.parent, \(promise(number))?.root)", depth)
    }
  }

  private mutating func series(
    _ number: Int, _ series: Series, _ inputs: [Int], _ place: Place, _ tasks: [Handler], _ depth: Int
  ) {
    line("nonisolated(unsafe) var count\(number) = 0", depth)
    line("let task\(number): @Sendable () throws -> Any? = {", depth)
    line("count\(number) += 1", depth + 1)
    for (index, task) in tasks.enumerated() {
      line("if count\(number) == \(index + 1) {", depth + 1)
      body(task.body, depth: depth + 2)
      answer(task.answer, depth + 2)
      line("}", depth + 1)
    }
    line("return nil", depth + 1)
    line("}", depth)
    let inputs = "[\(inputs.map { promise($0) }.joined(separator: ", "))] as [Any?]"
    let (context, task) = (name(place), "{ _ in try task\(number)() }")
    let call =
      switch series {
      case .map: "map(\(inputs), on: \(context)) \(task)"
      case .mapCancellingRest: "map(\(inputs), on: \(context), cancellingRest: true) \(task)"
      case .mapInTurn: "map(\(inputs), concurrency: 1, on: \(context)) \(task)"
      case .sequence: "sequence(\(inputs), on: \(context)) \(task)"
      case .repeat: "repeat(on: \(context), task\(number))"
      case .retry: "retry(3, on: \(context)) \(task)"
      case .retryLater: "retry(3, delay: .constant(1.0), on: \(context)) \(task)"
      }
    line("\(promise(number)) = Promise.\(call)", depth)
  }

  private mutating func many(
    _ number: Int, _ count: Int, _ place: Int, _ shape: Shape, _ step: Step, _ context: Place?, _ depth: Int
  ) {
    let top = promise(place)
    many.insert(number)
    let last = shape == .chain || shape == .followerChain ? "m\(number).last ?? \(top)" : top
    line("for _ in 0..<\(count) {", depth)
    line("let parent = \(last)", depth + 1)
    counts[number] = count
    if shape == .fan || shape == .chain {
      line("var p\(number): Promise?", depth + 1)
      counts[number] = 0
      child(number, "parent", step, context, Handler(body: [], answer: .nothing), depth + 1)
      names.remove(number)
      counts[number] = count
    } else {
      line("let p\(number): Promise? = Promise(on: \(name(context ?? .a)))", depth + 1)
      line("if let parent { p\(number)?.bind(parent) }", depth + 1)
    }
    line("m\(number).append(p\(number))", depth + 1)
    line("}", depth)
  }

  func name(_ place: Place) -> String {
    switch place {
    case .immediate: ".immediate"
    case .atOnce: "AtOnce()"
    case .a, .b: place.rawValue
    case .serial, .concurrent: "\(place.rawValue)Queue"
    case .pool: ".shared"
    }
  }

  private mutating func child(
    _ number: Int, _ parent: String, _ step: Step, _ place: Place?, _ handler: Handler, _ depth: Int
  ) {
    let start = "\(promise(number)) = \(parent)?"
    let on = place.map(name)
    switch step {
    case .none: return line("\(start).then(nil)", depth)
    case .shield: return line("\(start).shielded()", depth)
    case .timeout: return line("\(start).setTimeout(1.0)", depth)
    case .delay: return line("\(start).delay(1.0)", depth)
    default: break
    }
    if let capture = handler.capture { payload(capture, "c\(capture.number)", depth) }
    let context = on.map { "On(\($0))" } ?? ""
    switch step {
    case .value: line("\(start).then\(context) { (_: Any) -> Any? in", depth)
    case .suspending: line("\(start).then\(context) { (_: Any) async throws -> Any? in", depth)
    case .reason: line("\(start).catch\(context) { (_: any Error) -> Any? in", depth)
    case .finally: line("\(start).finally\(context) { () -> Any? in", depth)
    case .tap, .tapBoth:
      let (tap, input) = step == .tap ? ("tap", "Any") : ("tapResult", "Result<Any, any Error>")
      line("\(start).\(tap)\(on.map { "(on: \($0))" } ?? "") { (_: \(input)) -> Any? in", depth)
    default:
      line("let h\(number): @Sendable (Any) throws -> Any? = { _ in", depth)
    }
    if let capture = handler.capture { line("withExtendedLifetime(c\(capture.number)) {}", depth + 1) }
    body(handler.body, depth: depth + 1)
    answer(handler.answer, depth + 1)
    line("}", depth)
    if step == .both {
      let arguments =
        (on.map { "\($0), " } ?? "") + "h\(number), { (e: any Error) -> Any? in try h\(number)(e) }"
      line("\(start).then\(on == nil ? "" : "On")(\(arguments))", depth)
    }
  }
}
