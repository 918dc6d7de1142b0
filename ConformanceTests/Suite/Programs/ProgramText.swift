/// A program in words. The steps are in the order in which they ran.
struct ProgramText {
  private(set) var text = ""

  /// `threads` is the number of threads that shared the operations.
  init(_ program: Program, _ lanes: [Lane], threads: Int) {
    if threads > 1 { line("\(threads) threads share these operations, in an unknown order", 1) }
    var rest = program.operations[...]
    var lanes = lanes[...]
    while let lane = lanes.first {
      // Consecutive jobs of one context share a line.
      let count = lane == .main ? 1 : lanes.prefix { $0 == lane }.count
      lanes = lanes.dropFirst(count)
      switch lane {
      case .main: if let operation = rest.popFirst() { self.operation(operation, 1) }
      case .outside: line(count == 1 ? "a late call of a thenable" : "\(count) late calls of thenables", 1)
      case .a, .b: line("context \(lane) runs \(count == 1 ? "a job" : "\(count) jobs")", 1)
      }
    }
    line("all contexts run their jobs", 1)
  }

  private mutating func line(_ line: String, _ depth: Int) {
    text += String(repeating: "  ", count: depth) + line + "\n"
  }

  private mutating func operation(_ operation: Operation, _ depth: Int) {
    switch operation {
    case .create(let number, let lane): line("p\(number) = pending() on context \(lane)", depth)
    case .then(let number, let parent, let onFulfilled, let onRejected):
      line("p\(number) = p\(parent).then", depth)
      if let onFulfilled { reaction("onFulfilled", onFulfilled, depth + 1) }
      if let onRejected { reaction("onRejected", onRejected, depth + 1) }
    case .settle(let number, let answer, let byResolve):
      line("\(answer.settlement(byResolve: byResolve)) p\(number) with \(name(answer))", depth)
      details(answer, depth + 1)
    }
  }

  private mutating func reaction(_ name: String, _ reaction: Reaction, _ depth: Int) {
    let end = reaction.answer.isError ? "throws" : "returns"
    let answer = "\(end) \(self.name(reaction.answer))"
    line(reaction.body.isEmpty ? "\(name): \(answer)" : "\(name):", depth)
    for operation in reaction.body { self.operation(operation, depth + 1) }
    if !reaction.body.isEmpty { line(answer, depth + 1) }
    details(reaction.answer, depth + 1)
  }

  private func name(_ answer: Answer) -> String {
    switch answer {
    case .value(let number): "v\(number)"
    case .error(let number): "e\(number)"
    case .promise(let number): "p\(number)"
    case .thenable(let foreign): "the thenable t\(foreign.number)"
    }
  }

  private mutating func details(_ answer: Answer, _ depth: Int) {
    guard case .thenable(let foreign) = answer else { return }
    switch foreign.getter {
    case .throwing(let error): return line("reading then of t\(foreign.number) throws e\(error)", depth)
    case .notAFunction: return line("then of t\(foreign.number) is no function", depth)
    case .function: line("then of t\(foreign.number):", depth)
    }
    for call in foreign.calls {
      let when =
        switch call.when {
        case .now: ""
        case .late: ", in a later step"
        case .elsewhere: ", on another thread"
        }
      line("calls \(call.function) with \(name(call.answer))\(when)", depth + 1)
      details(call.answer, depth + 2)
    }
    line(foreign.thrown.map { "throws e\($0)" } ?? "returns", depth + 1)
  }
}
