import Foundation

extension Execution {
  /// Makes a thenable that reports the implementation's calls and its own calls to the model.
  func thenable(_ foreign: Foreign) -> Any {
    let number = foreign.number
    let source = ThenableSource(foreign.shape) { [self] in
      try checked { (model) throws(Violation) in try model.reads(number) }
      switch foreign.getter {
      case .throwing(let error):
        locked { $0.readThrows(number, error) }
        throw ProgramError(error)
      case .notAFunction:
        locked { $0.isNoFunction(number) }
        return nil
      case .function:
        locked { $0.isFunction(number) }
        return { try self.method(of: foreign, $0, $1) }
      }
    }
    let x = stage.bridges[0].makeThenable(source)
    if foreign.getter == .notAFunction { locked { _ in thenables[number] = x } }
    return x
  }

  private func method(
    of foreign: Foreign, _ resolve: @escaping @Sendable (Any) -> Void,
    _ reject: @escaping @Sendable (Any) -> Void
  ) throws {
    try checked { (model) throws(Violation) in
      try model.calls(foreign.number)
      functions += [resolve, reject]
    }
    for call in foreign.calls {
      let perform: @Sendable () -> Void = { [self] in answer(foreign, call.answer, resolve, reject) }
      switch call.when {
      case .now: perform()
      case .late: stage.lane(.outside).enqueue(perform)
      case .elsewhere:
        if !stage.crew.run(until: Date(timeIntervalSinceNow: 10), perform) {
          note(Violation("2.3.3.3", "a call on another thread by t\(foreign.number) does not return"))
        }
      }
    }
    guard let error = foreign.thrown else { return }
    locked { $0.throwsError(foreign.number, error) }
    throw ProgramError(error)
  }

  private func answer(
    _ foreign: Foreign, _ answer: Answer, _ resolve: (Any) -> Void, _ reject: (Any) -> Void
  ) {
    guard violation == nil else { return }
    if case .error(let error) = answer {
      locked { $0.rejects(foreign.number, error) }
      return reject(ProgramError(error))
    }
    let (y, resolution) = made(answer)
    locked { $0.resolves(foreign.number, with: resolution) }
    resolve(y)
  }
}
