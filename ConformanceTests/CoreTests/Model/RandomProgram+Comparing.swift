// What a random program's handlers do, and what comes of it: on the library, and as the models say.

import DynamicPromise

extension RandomProgram {
  func handler(_ number: Int, _ behaviour: Behaviour, _ other: Int) -> @Sendable (String) throws -> Any? {
    { [table, runs] input in
      runs.append("\(number) \(input)")
      let target = other < table.promises.count ? table.promises[other] : nil
      switch behaviour {
      case .value, .nothing: return "v\(number)"
      case .error: return ProgramError("e\(number)")
      case .throwing: throw ProgramError("e\(number)")
      case .promise: return target ?? "v\(number)" as Any
      case .optionalPromise: return Optional(target as Any) as Any
      case .thenable:
        let value = UncheckedValue<Any>(target ?? "v\(number)" as Any)
        return StructThenable { resolve, _ in resolve(value.value) }
      case .rejectingThenable: return StructThenable { _, reject in reject(ProgramError("e\(number)")) }
      case .own: return table.promises[number] ?? "v\(number)" as Any
      }
    }
  }

  func body(_ number: Int, _ behaviour: Behaviour, _ other: Int, of model: Model) -> (String) -> Model.Result
  {
    { [table, unowned model] input in
      model.runs.append("\(number) \(input)")
      let target = other < table.promises.count && table.promises[other] != nil ? model.all[other] : nil
      switch behaviour {
      case .value, .nothing: return .value("v\(number)")
      case .error, .throwing: return .error("e\(number)")
      case .rejectingThenable: return .lateError("e\(number)")
      case .promise, .thenable: return target.map { .promise($0) } ?? .value("v\(number)")
      case .optionalPromise: return target.map { .promise($0) } ?? .value("nil")
      case .own: return table.promises[number] == nil ? .value("v\(number)") : .promise(model.all[number])
      }
    }
  }

  var isComplete: Bool { models[0].all.allSatisfy { !$0.isPending } }

  private func states(of model: Model) -> [String] {
    model.all.map { node in
      guard let outcome = node.outcome else { return "pending" }
      let isCancelled = node.isCancelledByRequest || !node.isFulfilled && outcome == "cancellation"
      return "\(isCancelled ? "cancelled" : "settled") \(outcome)"
    }
  }

  /// Whether the models differ from each other: what comes is not for the Spec to say.
  var orderDecides: Bool {
    let (states, runs) = (states(of: models[0]), models[0].runs.all.sorted())
    return models.dropFirst().contains { self.states(of: $0) != states || $0.runs.all.sorted() != runs }
  }

  /// What differs between library and models, if anything.
  func difference() -> String? {
    let expected = states(of: models[0])
    for number in held {
      let promise = table.promises[number]!
      let seen =
        promise.result.map { "\(promise.isCancelled ? "cancelled" : "settled") \(outcomeText($0))" }
        ?? "pending"
      if seen != expected[number] {
        return "promise \(number) is \(seen), the model says \(expected[number])"
      }
    }
    let (seen, wanted) = (runs.all.sorted(), models[0].runs.all.sorted())
    return seen == wanted ? nil : "handlers that ran: \(seen), the model says \(wanted)"
  }
}

/// The error of a program.
struct ProgramError: Error {
  let name: String
  init(_ name: String) { self.name = name }
}

func outcomeText(_ result: Result<Any, any Error>) -> String {
  switch result {
  case .success(let value): text(value)
  case .failure(let reason): text(reason as Any)
  }
}

/// A value or reason of a program, as the models have it.
func text(_ value: Any) -> String {
  switch value {
  case let string as String: string
  case let mark as ProgramError: mark.name
  case is CancellationError: "cancellation"
  case PromiseError.cycle: "cycle"
  case PromiseError.broken: "broken"
  case PromiseError.noneFulfilled: "none"
  case let results as [Result<Any, any Error>]: "[\(results.map { outcomeText($0) }.joined(separator: " "))]"
  case let values as [Any]: "[\(values.map { text($0) }.joined(separator: " "))]"
  default: isNil(value) ? "nil" : "\(value)"
  }
}
