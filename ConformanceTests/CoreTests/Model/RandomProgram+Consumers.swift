// What else a random program has: combinators and readers.

import DynamicPromise

extension RandomProgram {
  /// A task that awaits a promise, or an iteration that has not begun.
  enum Reading {
    case task(number: Int, Task<Void, Never>, TaskOutcome, [Model.Reader])
    case iteration(number: Int, Promise.Results, [Model.Reader])
  }

  mutating func combine() -> String {
    let (number, held) = (table.promises.count, held)
    guard held.count > 1 else { return "-" }
    let inputs = (0..<(1 + random.below(3))).map { _ in held[random.below(held.count)] }
    let combinator = Model.Combinator.allCases[random.below(4)]
    let withdraws = features.adopts && features.cancels && random.below(2) == 0
    let promises = inputs.map { table.promises[$0]! }
    switch combinator {
    case .all: add(Promise.all(promises, cancellingInputs: withdraws))
    case .allSettled: add(Promise.allSettled(promises, cancellingInputs: withdraws))
    case .any: add(Promise.any(promises, cancellingInputs: withdraws))
    case .race: add(Promise.race(promises, cancellingInputs: withdraws))
    }
    onModels { model in
      let node = Model.Node(number, nil, .none)
      // It is resolved by its inputs, and by nothing else.
      node.isResolved = true
      model.add(node)
      model.combine(
        node, .init(combinator: combinator, inputs: inputs.map { model.all[$0] }, withdraws: withdraws))
    }
    return "\(number) = \(combinator) of \(inputs)" + (withdraws ? ", cancelling" : "")
  }

  mutating func read(_ number: Int) -> String {
    guard isPending(number), let promise = table.promises[number] else { return "-" }
    let way = random.below(3)
    let withdraws = way == 1 && features.adopts && features.cancels
    let readers = models.map { $0.read($0.all[number], withdraws: withdraws) }
    if way == 2 {
      readings.append(.iteration(number: number, Promise.results(of: [promise]), readers))
      return "iterate over \(number)"
    }
    let outcome = TaskOutcome()
    let task = Task(executorPreference: executor) {
      do {
        outcome.finish(.success(try await withdraws ? promise.cancellingValue : promise.value))
      } catch { outcome.finish(.failure(error)) }
    }
    // Also where another task that has its value waits in front.
    repeat { executor.step() } while executor.jobs.count > 0
    readings.append(.task(number: number, task, outcome, readers))
    return "await \(number)" + (withdraws ? ", cancelling" : "")
  }

  /// One of the readers leaves.
  mutating func leave() -> String {
    guard !readings.isEmpty else { return "-" }
    let reading = readings.remove(at: random.below(readings.count))
    let readers =
      switch reading {
      case .task(_, _, _, let readers), .iteration(_, _, let readers): readers
      }
    let number =
      switch reading {
      case .task(let number, _, _, _), .iteration(let number, _, _): number
      }
    end(reading)
    for (model, reader) in zip(models, readers) {
      model.leave(reader)
      model.takeEffect()
    }
    return "no longer read \(number)"
  }

  /// Cancels its task, and waits for the end of that.
  private func end(_ reading: consuming Reading) {
    guard case .task(_, let task, let outcome, _) = reading else { return }
    task.cancel()
    while !outcome.isThere { executor.step() }
  }

  mutating func endReaders() {
    while let reading = readings.popLast() { end(reading) }
  }
}
