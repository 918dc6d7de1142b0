// Simpler variants of a program, for shrinking.

extension Program {
  /// Returns the shortest program found for which `fails` returns `true`.
  func shrunk(while fails: (Program) -> Bool) -> Program {
    PromisesAPlusSuite.shrunk(self, simpler: { $0.simpler() }, while: fails)
  }

  private func simpler() -> [Program] {
    var result: [Program] = []
    func with(_ change: (inout Program) -> Void) {
      var program = self
      change(&program)
      if program != self { result.append(program) }
    }
    with { $0.schedule = .plain }
    for index in schedule.changes.indices { with { $0.schedule.changes.remove(at: index) } }
    for operations in operations.simplified() { with { $0.operations = operations } }
    return result
  }
}

extension [Operation] {
  fileprivate func simplified() -> [[Operation]] {
    withoutParts()
      + indices.flatMap { index in
        self[index].simplified().map { simpler in
          var operations = self
          operations[index] = simpler
          return operations
        }
      }
  }
}

extension Operation {
  fileprivate func simplified() -> [Operation] {
    switch self {
    case .create(let number, let lane): return lane == .a ? [] : [.create(number, on: .a)]
    case .then(let number, let parent, let fulfilled, let rejected):
      var result: [Operation] = []
      if let fulfilled {
        if rejected != nil { result.append(.then(number, of: parent, nil, rejected)) }
        result += fulfilled.simplified().map { .then(number, of: parent, $0, rejected) }
      }
      if let rejected {
        if fulfilled != nil { result.append(.then(number, of: parent, fulfilled, nil)) }
        result += rejected.simplified().map { .then(number, of: parent, fulfilled, $0) }
      }
      return result
    case .settle(let number, let answer, let byResolve):
      var result = answer.simplified().map { Operation.settle(number, $0, byResolve: byResolve) }
      if byResolve, case .value = answer { result.append(.settle(number, answer, byResolve: false)) }
      return result
    }
  }
}

extension Reaction {
  fileprivate func simplified() -> [Reaction] {
    body.simplified().map { Reaction(body: $0, answer: answer) }
      + answer.simplified().map { Reaction(body: body, answer: $0) }
  }
}

extension Answer {
  fileprivate func simplified() -> [Answer] {
    switch self {
    case .value: []
    case .error(let number), .promise(let number): [.value(number)]
    case .thenable(let foreign):
      [.value(foreign.number)] + foreign.calls.map(\.answer) + foreign.simplified().map { .thenable($0) }
    }
  }
}

extension Foreign {
  fileprivate func simplified() -> [Foreign] {
    var result: [Foreign] = []
    func with(_ change: (inout Foreign) -> Void) {
      var foreign = self
      change(&foreign)
      result.append(foreign)
    }
    if thrown != nil { with { $0.thrown = nil } }
    for index in calls.indices {
      with { $0.calls.remove(at: index) }
      if calls[index].when != .now { with { $0.calls[index].when = .now } }
      for answer in calls[index].answer.simplified() { with { $0.calls[index].answer = answer } }
    }
    return result
  }
}
