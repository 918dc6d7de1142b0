/// A program as Swift source for a test. The steps are in the order in which they ran.
struct ProgramSource {
  private(set) var text = ""
  private var body = ""
  /// The promises that the source mentions.
  private var promises: Set<Int> = []

  /// `threads` is the number of threads that shared the operations.
  init(_ program: Program, _ steps: [Lane], _ violation: Violation, threads: Int) {
    var rest = program.operations[...]
    for lane in steps {
      if lane != .main {
        line("check.step(.\(lane))", 1)
      } else if let operation = rest.popFirst() {
        self.operation(operation, 1)
      }
    }
    let names = promises.sorted().map { "  let p\($0) = check.promise(\($0))\n" }
    let note = """
      // \(threads) threads shared the operations. Here one thread performs them, which may hide the mistake.

      """
    let hang =
      violation == .hang && threads == 1
      ? "// This function does not return either. Pause it in a debugger.\n" : ""
    text = """
      // Seed \(program.seed) fails \(violation.clause): \(violation.message)
      \(threads > 1 ? note : "")\(hang)import PromisesAPlusSuite

      func program(_ adapter: some PromiseAdapter) throws {
        let check = try CheckedProgram(adapter, end: \(program.end))
      \(names.joined())\(body)  try check.end()
      }

      """
  }

  private mutating func line(_ line: String, _ depth: Int) {
    body += String(repeating: "  ", count: depth) + line + "\n"
  }

  private mutating func promise(_ number: Int) -> String {
    promises.insert(number)
    return "p\(number)"
  }

  private mutating func operation(_ operation: Operation, _ depth: Int) {
    switch operation {
    case .create(let number, let lane): line("\(promise(number)).create(on: .\(lane))", depth)
    case .then(let child, let parent, let onFulfilled, let onRejected):
      line("\(promise(parent)).then(", depth)
      line("as: \(promise(child)),", depth + 1)
      reaction(onFulfilled, ",", depth + 1)
      reaction(onRejected, ")", depth + 1)
    case .settle(let number, let answer, let byResolve):
      let call = answer.settlement(byResolve: byResolve)
      line("\(promise(number)).\(call)(\(value(answer, depth)))", depth)
    }
  }

  private mutating func reaction(_ reaction: Reaction?, _ end: String, _ depth: Int) {
    guard let reaction else { return line("nil\(end)", depth) }
    line("{ _ in", depth)
    for operation in reaction.body { self.operation(operation, depth + 1) }
    let keyword = reaction.answer.isError ? "throw" : "return"
    line("\(keyword) \(value(reaction.answer, depth + 1))", depth + 1)
    line("}\(end)", depth)
  }

  /// Returns an expression. All lines after the first are indented for a first line at `depth`.
  private mutating func value(_ answer: Answer, _ depth: Int) -> String {
    switch answer {
    case .value(let number): "ProgramValue(\(number))"
    case .error(let number): "ProgramError(\(number))"
    case .promise(let number): promise(number)
    case .thenable(let foreign): thenable(foreign, depth)
    }
  }

  private mutating func thenable(_ foreign: Foreign, _ depth: Int) -> String {
    let start = "check.thenable(\(foreign.number), .\(foreign.shape)) {"
    switch foreign.getter {
    case .throwing(let error): return "\(start) throw ProgramError(\(error)) }"
    case .notAFunction: return "\(start) nil }"
    case .function: break
    }
    // Until the method is complete, `body` contains the lines of the method.
    let before = body
    body = ""
    for call in foreign.calls {
      let perform = "\(call.function)(\(value(call.answer, depth + 2)))"
      switch call.when {
      case .now: line(perform, depth + 2)
      case .late: line("check.later { \(perform) }", depth + 2)
      case .elsewhere: line("check.elsewhere { \(perform) }", depth + 2)
      }
    }
    if let error = foreign.thrown { line("throw ProgramError(\(error))", depth + 2) }
    let method = body
    body = before
    let parameters = foreign.calls.isEmpty ? "_, _" : "resolvePromise, rejectPromise"
    let indentation = String(repeating: "  ", count: depth)
    return
      """
      \(start)
      \(indentation)  return { \(parameters) in
      \(method)\(indentation)  }
      \(indentation)}
      """
  }
}
