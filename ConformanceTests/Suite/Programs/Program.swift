// A program of promises as data. Each promise, value, reason and thenable has a number of its own, which is
// fixed when the program is generated. An operation whose promise does not exist does nothing, so any part of
// a program is a program.

/// A program of promises, and the order of its steps.
struct Program: Sendable, Equatable {
  /// The seed that it was generated from.
  let seed: UInt64
  var operations: [Operation]
  var schedule: Schedule
  /// All numbers are below this one.
  let end: Int

  /// About the most steps that it takes: operations, handlers, promises that are followed, late calls.
  var stepBound: Int { max(1, operations.reduce(0) { $0 + $1.weight }) }
}

/// What a user or a handler does.
indirect enum Operation: Sendable, Equatable {
  /// A new pending promise, whose handlers run on `on`.
  case create(Int, on: Lane)
  /// `then`, which returns the promise with the first number; either reaction may be absent.
  case then(Int, of: Int, Reaction?, Reaction?)
  /// Settles a promise from outside: `fulfill` with a value, `reject` with an error, or `resolve` with
  /// anything, also with a value if `byResolve`.
  case settle(Int, Answer, byResolve: Bool)

  fileprivate var weight: Int {
    switch self {
    case .create: 1
    case .then(_, _, let fulfilled, let rejected): 1 + (fulfilled?.weight ?? 0) + (rejected?.weight ?? 0)
    case .settle(_, let answer, _): 1 + answer.weight
    }
  }
}

/// A handler: what it does, and how it ends.
struct Reaction: Sendable, Equatable {
  var body: [Operation]
  var answer: Answer

  fileprivate var weight: Int { body.reduce(1 + answer.weight) { $0 + $1.weight } }
}

/// What a handler returns, or what a promise is settled with.
indirect enum Answer: Sendable, Equatable {
  case value(Int)
  /// A handler throws it.
  case error(Int)
  case promise(Int)
  case thenable(Foreign)

  var isError: Bool { if case .error = self { true } else { false } }

  fileprivate var weight: Int {
    switch self {
    case .value, .error: 0
    case .promise: 1
    case .thenable(let foreign):
      foreign.calls.reduce(0) { $0 + ($1.when == .late ? 1 : 0) + $1.answer.weight }
    }
  }
}

/// A thenable: what its `then` is, and what that does.
struct Foreign: Sendable, Equatable {
  enum Getter: Sendable, Equatable {
    case function
    case notAFunction
    /// Throws the error of that number.
    case throwing(Int)
  }

  var number: Int
  var getter = Getter.function
  /// Its calls of the functions that it is given, in order.
  var calls: [Call] = []
  /// Then it throws the error of that number.
  var thrown: Int?

  /// The kind of type that it has.
  var shape: ThenableSource.Shape {
    let all = ThenableSource.Shape.allCases
    return all[number % all.count]
  }
}

/// A thenable's call of one of the functions that it is given: `rejectPromise` with an error,
/// `resolvePromise` with anything else.
struct Call: Sendable, Equatable {
  enum When: Sendable, Equatable {
    case now
    /// In a later step, when `then` has returned.
    case late
    /// Before `then` returns, but on another thread.
    case elsewhere
  }

  var answer: Answer
  var when = When.now

  /// The function that it calls.
  var function: String { answer.isError ? "rejectPromise" : "resolvePromise" }
}
