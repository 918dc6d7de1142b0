// Prints the values, handlers' answers and thenables of a program as Swift.

extension Source {
  /// Declares an object that performs operations when it is deallocated.
  mutating func payload(_ payload: Payload, _ name: String, _ depth: Int) {
    guard !payload.onDeinit.isEmpty else { return line("let \(name) = OnDeinit {}", depth) }
    closure("let \(name) = OnDeinit {", payload.onDeinit, depth)
  }

  /// An expression for a value or error.
  mutating func expression(_ payload: Payload, isError: Bool, _ depth: Int) -> String {
    guard !payload.onDeinit.isEmpty else {
      return isError ? "Failure(number: \(payload.number))" : "\(payload.number)"
    }
    self.payload(payload, "v\(payload.number)", depth)
    return isError ? "Failure(number: \(payload.number), object: v\(payload.number))" : "v\(payload.number)"
  }

  mutating func answer(_ answer: Answer, _ depth: Int) {
    switch answer {
    case .nothing: line("return nil", depth)
    case .value(let payload): line("return \(expression(payload, isError: false, depth))", depth)
    case .failure(let payload): line("return \(expression(payload, isError: true, depth))", depth)
    case .thrown(let payload): line("throw \(expression(payload, isError: true, depth))", depth)
    case .promise(let number): line("return \(promise(number))", depth)
    case .thenable(let call):
      body(call.getter, depth: depth)
      line("return Call { resolve, reject in", depth)
      method(call, depth + 1)
      line("}", depth)
    }
  }

  mutating func method(_ call: Call, _ depth: Int) {
    body(call.method, depth: depth)
    switch call.answer {
    case .nothing, .thenable: break
    case .value(let payload): line("resolve(\(expression(payload, isError: false, depth)))", depth)
    case .failure(let payload): line("reject(\(expression(payload, isError: true, depth)))", depth)
    case .thrown(let payload): line("throw \(expression(payload, isError: true, depth))", depth)
    case .promise(let number): line("if let other = \(promise(number)) { resolve(other) }", depth)
    }
  }

  mutating func made(_ number: Int, _ place: Place, _ operations: [Operation], _ answer: Answer, _ depth: Int)
  {
    line("\(promise(number)) = Promise(on: \(name(place))) { resolver in", depth)
    body(operations, depth: depth + 1)
    switch answer {
    case .nothing:
      line("\(resolver(number)) = resolver", depth + 1)
      if World.isAwaited(resolverOf: number) { line("resolver.alwaysCallsBack()", depth + 1) }
    case .thrown: self.answer(answer, depth + 1)
    default: settle("Optional(resolver)", answer, depth + 1, isResolver: true)
    }
    line("}", depth)
  }

  mutating func settle(_ promise: String, _ answer: Answer, _ depth: Int, isResolver: Bool = false) {
    switch answer {
    case .nothing: line("\(promise)?.fulfill(nil)", depth)
    case .value(let payload):
      line("\(promise)?.fulfill(\(expression(payload, isError: false, depth)))", depth)
    case .failure(let payload), .thrown(let payload):
      line("\(promise)?.reject(\(expression(payload, isError: true, depth)))", depth)
    case .promise(let other):
      let call = isResolver ? "resolve" : "bind"
      line("if let other = \(self.promise(other)) { \(promise)?.\(call)(other) }", depth)
    case .thenable(let call):
      line("\(promise)?.resolve(Call { resolve, reject in", depth)
      body(call.getter, depth: depth + 1)
      method(call, depth + 1)
      line("})", depth)
    }
  }
}
