// Makes a failing program shorter, while it still fails in the same way.

import PromisesAPlusSuite

extension Program {
  /// The shortest program that was found.
  ///
  /// - Parameter fails: Whether a program fails like the original.
  public func shrunk(while fails: (Program) -> Bool) -> Program {
    PromisesAPlusSuite.shrunk(self, simpler: { $0.simpler() }, while: fails)
  }

  /// Slightly shorter programs.
  public func simpler() -> [Program] {
    operations.simplified().map { Program(seed: seed, operations: $0, threads: threads, hasEnd: hasEnd) }
  }
}

extension [Operation] {
  /// Simpler programs, in this order: without a large part, without a single operation, with one operation
  /// simplified.
  func simplified() -> [[Operation]] {
    withoutParts() + indices.flatMap { copies(self, \.[$0], self[$0].simplified()) }
  }
}

/// Copies of `whole`. Each copy has one of `parts` as its `part`.
private func copies<Whole, Part>(
  _ whole: Whole, _ part: WritableKeyPath<Whole, Part>, _ parts: [Part]
) -> [Whole] {
  parts.map {
    var copy = whole
    copy[keyPath: part] = $0
    return copy
  }
}

extension [Int] {
  fileprivate func withoutOne() -> [[Int]] { indices.map { Array(self[..<$0] + self[($0 + 1)...]) } }
}

extension Operation {
  /// Simpler replacements of this operation.
  fileprivate func simplified() -> [Operation] {
    switch self {
    case .root(let number, let place):
      return place == .a ? [] : [.root(number, .a)]
    case .child(let number, let parent, let step, let place, let handler):
      let onDefault: [Operation] = place == nil ? [] : [.child(number, of: parent, step, on: nil, handler)]
      return onDefault + handler.simplified().map { .child(number, of: parent, step, on: place, $0) }
    case .many(let number, let count, let place, let shape, let step, let context):
      return [count / 2, count - 1].filter { $0 > 0 && $0 < count }
        .map { .many(number, count: $0, of: place, shape, step, on: context) }
    case .nested(let depth, let body):
      return (depth > 0 ? [.nested(depth / 2, body), .nested(depth - 1, body)] : [])
        + body.simplified().map { .nested(depth, $0) }
    case .whenLost(let body): return body.simplified().map { .whenLost($0) }
    case .made(let number, let place, let body, let answer):
      return [.root(number, place)] + body.simplified().map { .made(number, place, $0, answer) }
        + answer.simplified().map { .made(number, place, body, $0) }
    case .settle(let number, let answer):
      return answer.simplified().map { .settle(number, $0) }
    case .resolve(let number, let answer):
      return [.settle(number, answer)] + answer.simplified().map { .resolve(number, $0) }
    case .finished(let number, let top, let place):
      return place == nil ? [] : [.finished(number, of: top, on: nil)]
    case .hook(let event, let number, let root, let body):
      return body.simplified().map { .hook(event, number, of: root, $0) }
    case .observe(let subject, let place, let body, let capture):
      return body.simplified().map { .observe(of: subject, on: place, $0, capture: capture) }
        + (capture == nil ? [] : [.observe(of: subject, on: place, body, capture: nil)])
    case .combine(let number, let combinator, let inputs, let cancels):
      return inputs.withoutOne().map { .combine(number, combinator, of: $0, cancels) }
    case .series(let number, let series, let inputs, let place, let tasks):
      return
        (tasks.indices.flatMap { copies(tasks, \.[$0], tasks[$0].simplified()) }
        + (tasks.isEmpty ? [] : [tasks.dropLast()]))
        .map { .series(number, series, of: inputs, on: place, $0) }
        + inputs.withoutOne().map { .series(number, series, of: $0, on: place, tasks) }
    default: return []
    }
  }
}

extension Handler {
  fileprivate func simplified() -> [Handler] {
    copies(self, \.capture, capture == nil ? [] : [nil])
      + copies(self, \.body, body.simplified())
      + copies(self, \.answer, answer.simplified())
      + copies(self, \.capture, capture?.simplified() ?? [])
  }
}

extension Answer {
  fileprivate func simplified() -> [Answer] {
    switch self {
    case .nothing: []
    case .value(let payload): [.nothing] + payload.simplified().map { .value($0) }
    case .failure(let payload): [.nothing] + payload.simplified().map { .failure($0) }
    case .thrown(let payload): [.nothing] + payload.simplified().map { .thrown($0) }
    case .thenable(let call): [.nothing, call.answer] + call.simplified().map { .thenable($0) }
    case .promise: [.nothing]
    }
  }
}

extension Call {
  fileprivate func simplified() -> [Call] {
    copies(self, \.getter, getter.simplified())
      + copies(self, \.method, method.simplified())
      + copies(self, \.answer, answer.simplified())
  }
}

extension Payload {
  fileprivate func simplified() -> [Payload] { copies(self, \.onDeinit, onDeinit.simplified()) }
}
