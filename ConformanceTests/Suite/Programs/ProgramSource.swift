/// A program as Swift source that compiles with its adapter. The steps are in the order in which they ran.
struct ProgramSource {
  private(set) var text = ""
  private var body = ""
  private let adapter: String
  private var lanes: [Int: Lane] = [:]
  private var roots: Set<Int> = []
  private var usesThreads = false
  private var hasFunctions = false

  init(_ program: Program, _ steps: [Lane], _ violation: Violation, adapter: String) {
    self.adapter = adapter
    for operation in program.operations { assign(operation) }
    var rest = program.operations[...]
    for lane in steps {
      if lane != .main {
        line("\(lane).step()", 1)
      } else if let operation = rest.popFirst() {
        self.operation(operation, 1)
      }
    }
    for number in lanes.keys.sorted() {
      line("if let p\(number) { show(\"p\(number)\", p\(number), \(on(number))) }", 1)
    }
    line("while a.step() || b.step() || outside.step() {}", 1)
    if hasFunctions { line("withExtendedLifetime(functions) {}", 1) }
    text = head(program.seed, violation) + body + "}\n"
  }

  private func head(_ seed: UInt64, _ violation: Violation) -> String {
    let used = Set(lanes.values)
    let adapters = Lane.contexts.filter(used.contains)
      .map { "let on\("\($0)".uppercased()) = adapter.on(\($0))" }
    let deferreds = roots.sorted().map { "  nonisolated(unsafe) var d\($0): Deferred<\(adapter).P>!\n" }
    let promises = lanes.keys.sorted().map { "  nonisolated(unsafe) var p\($0): \(adapter).P!\n" }
    let onAnotherThread = """
        @Sendable func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
          let done = DispatchSemaphore(value: 0)
          Thread {
            body()
            done.signal()
          }.start()
          done.wait()
        }

      """
    return """
      // Seed \(seed) fails \(violation.clause): \(violation.message)
      \(usesThreads ? "import Foundation\n" : "")import PromisesAPlusSuite

      func program(_ adapter: \(adapter)) {
        final class Value: Sendable, CustomStringConvertible {
          let description: String
          init(_ name: String) { description = name }
        }
        struct Failure: Error {
          let name: String
          init(_ name: String) { self.name = name }
        }
        func show(_ name: String, _ promise: \(adapter).P, _ adapter: \(adapter)) {
          _ = adapter.then(
            promise,
            { value in
              print("\\(name) is fulfilled with \\(value)")
              return value
            },
            { reason in
              print("\\(name) is rejected with \\(reason)")
              return Value("none")
            })
        }
      \(usesThreads ? onAnotherThread : "")\
        let a = SteppedContext()
        let b = SteppedContext()
        let outside = SteppedContext()
        guard \(adapters.joined(separator: ", ")) else { return }
      \(hasFunctions ? "  nonisolated(unsafe) var functions: [@Sendable (Any) -> Void] = []\n" : "")\
      \(deferreds.joined())\(promises.joined())
      """
  }

  /// Records the context of each promise.
  private mutating func assign(_ operation: Operation) {
    switch operation {
    case .create(let number, let lane):
      lanes[number] = lane
      roots.insert(number)
    case .then(let number, let parent, let onFulfilled, let onRejected):
      lanes[number] = lanes[parent] ?? .a
      for operation in (onFulfilled?.body ?? []) + (onRejected?.body ?? []) { assign(operation) }
    case .settle: break
    }
  }

  private func on(_ number: Int) -> String { "on\("\(lanes[number] ?? .a)".uppercased())" }

  private mutating func line(_ line: String, _ depth: Int) {
    body += String(repeating: "  ", count: depth) + line + "\n"
  }

  private mutating func operation(_ operation: Operation, _ depth: Int) {
    switch operation {
    case .create(let number, _):
      line("d\(number) = \(on(number)).pending()", depth)
      line("p\(number) = d\(number).promise", depth)
    case .then(let number, let parent, let onFulfilled, let onRejected):
      line("p\(number) = \(on(number)).then(", depth)
      line("p\(parent),", depth + 1)
      reaction("p\(number)’s onFulfilled", onFulfilled, ",", depth + 1)
      reaction("p\(number)’s onRejected", onRejected, ")", depth + 1)
    case .settle(let number, let answer, let byResolve):
      switch answer {
      case .error: line("d\(number).reject(\(value(answer, depth)))", depth)
      case .value where !byResolve: line("d\(number).fulfill(\(value(answer, depth)))", depth)
      default: line("d\(number).resolve(\(value(answer, depth)))", depth)
      }
    }
  }

  private mutating func reaction(_ name: String, _ reaction: Reaction?, _ end: String, _ depth: Int) {
    guard let reaction else { return line("nil\(end)", depth) }
    line("{ argument in", depth)
    line("print(\"\(name):\", argument)", depth + 1)
    for operation in reaction.body { self.operation(operation, depth + 1) }
    let keyword = reaction.answer.isError ? "throw" : "return"
    line("\(keyword) \(value(reaction.answer, depth + 1))", depth + 1)
    line("}\(end)", depth)
  }

  /// Returns an expression. All lines after the first are indented for a first line at `depth`.
  private mutating func value(_ answer: Answer, _ depth: Int) -> String {
    switch answer {
    case .value(let number): "Value(\"v\(number)\")"
    case .error(let number): "Failure(\"e\(number)\")"
    case .promise(let number): lanes[number] == nil ? "Value(\"p\(number)\")" : "p\(number)!"
    case .thenable(let foreign): thenable(foreign, depth)
    }
  }

  private mutating func thenable(_ foreign: Foreign, _ depth: Int) -> String {
    let start = "adapter.thenable(ThenableSource(.\(foreign.shape)) {"
    switch foreign.getter {
    case .throwing(let error): return "\(start) throw Failure(\"e\(error)\") })"
    case .notAFunction: return "\(start) nil })"
    case .function: break
    }
    // Until the method is complete, `body` contains the lines of the method.
    let before = body
    body = ""
    hasFunctions = true
    line("functions += [resolvePromise, rejectPromise]", depth + 2)
    for call in foreign.calls {
      let argument = value(call.answer, depth + 2)
      switch call.when {
      case .now: line("\(call.function)(\(argument))", depth + 2)
      case .late: line("outside.enqueue { \(call.function)(\(argument)) }", depth + 2)
      case .elsewhere:
        usesThreads = true
        line("onAnotherThread { \(call.function)(\(argument)) }", depth + 2)
      }
    }
    if let error = foreign.thrown { line("throw Failure(\"e\(error)\")", depth + 2) }
    let method = body
    body = before
    let indentation = String(repeating: "  ", count: depth)
    return
      """
      \(start)
      \(indentation)  return { resolvePromise, rejectPromise in
      \(method)\(indentation)  }
      \(indentation)})
      """
  }
}
