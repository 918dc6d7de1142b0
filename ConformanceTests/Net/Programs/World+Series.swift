// The series: `map`, `filter`, `sequence`, `each`, `reduce`, `repeat`, `retry`.

import DynamicPromise

extension World {
  /// Begins a series. Each call of its task performs the next handler of `tasks`. Calls beyond the last
  /// handler do nothing.
  func makeSeries(_ number: Int, _ series: Series, _ inputs: [Int], _ place: Place, _ tasks: [Handler]) {
    let numbers = (series.hasInputs ? inputs : []).filter { $0 <= 0 || promises[$0] != nil }
    let inputs: [Any?] = numbers.map {
      if $0 == 0 { return 0 }
      if $0 < 0 { return LateInput { [self] in inside { checkStart(ofTaskOf: number) } } }
      records[$0]?.isObserved = true
      return promises[$0]
    }
    let isPlain = inputs.allSatisfy { $0 is Int }
    if series == .mapCancellingRest { mayWithdraw = true }
    let context = context(place)
    let calls = Calls(tasks)
    // `retryLater` needs a stepped context, because the system's clock cannot be stepped.
    if series == .retryLater, contexts[place] == nil { return }
    let task: @Sendable () throws -> Any? = { [self] in
      try inside { try run(calls.next(), of: number, on: place) }
    }
    add(number, nil, .none, place) {
      inside {
        records[number]?.series = series
        records[number]?.inputs = numbers.compactMap { records[$0] }
        records[number]?.cancelling = Cancelling(rest: series == .mapCancellingRest)
        records[number]?.hasPlainInputs = isPlain
      }
      return switch series {
      case .map: Promise.map(inputs, on: context) { _ in try task() }
      case .mapCancellingRest: Promise.map(inputs, on: context, cancellingRest: true) { _ in try task() }
      case .mapInTurn: Promise.map(inputs, concurrency: 1, on: context) { _ in try task() }
      case .sequence: Promise.sequence(inputs, on: context) { _ in try task() }
      case .repeat: Promise.repeat(on: context, task)
      case .retry: Promise.retry(3, on: context) { _ in try task() }
      case .retryLater:
        Promise.retry(3, delay: .constant(1.0), while: { _ in self.inside { !self.isOver } }, on: context) {
          _ in try task()
        }
      }
    }
  }

  /// K5.4, K5.6, K9.5, K9.8, K15.7: no task begins after the result has settled.
  private func checkStart(ofTaskOf number: Int) {
    if !isThreaded, records[number]?.promise?.isSettled == true {
      fail("K9.5", "a task of \(number) begins after its result has settled")
    }
  }

  private func run(_ handler: Handler?, of number: Int, on place: Place) throws -> Any? {
    guard violation == nil else { return nil }
    checkStart(ofTaskOf: number)
    let frames = frames
    if contexts[place] != nil, frames.last != .step(place) {
      fail("2.2.4", "a task of \(number) runs on a stack with user code below it")
    }
    records[number]?.answers.append(handler?.answer ?? .nothing)
    guard let handler else { return nil }
    perform(handler.body, in: .handler(number))
    guard case .promise(let other) = handler.answer else { return try object(handler.answer) }
    guard let promise = promises[other], let used = records[other] else { return nil }
    used.isObserved = true
    if let record = records[number], used !== record {
      used.users.append(record)
      record.taskPromises.append(used)
      // C4.2: the result was cancelled while the task ran.
      if record.promise?.isCancelled != false { mark(used) }
    } else {
      used.hasUnknownConsumers = true
    }
    return promise
  }
}

/// A thenable input. The series reads its `then` upon reaching the input.
private struct LateInput: Thenable, Sendable {
  let isCalled: @Sendable () -> Void

  var then: ThenMethod? {
    isCalled()
    return { resolve, _ in resolve(0) }
  }
}

/// Returns the handlers of a series, one per call.
private final class Calls: @unchecked Sendable {
  private var rest: [Handler]

  init(_ handlers: [Handler]) { rest = handlers.reversed() }

  func next() -> Handler? { rest.popLast() }
}
