// Programs of promises as data. Each promise, value, reason and thenable has its own number, which the
// generator fixes. Any part of a program is also a program, because an operation whose promise does not exist
// does nothing.

/// A program of promises, and the order of its steps.
struct Program: Sendable, Equatable {
  let seed: UInt64
  var operations: [Operation]
  var schedule: Schedule
  /// All numbers are lower than this number.
  let end: Int

  /// The maximum number of steps: the operations, and the jobs of an implementation that needs one job per
  /// handler, per outcome without a handler, and per promise or thenable that a promise follows.
  var stepBound: Int { max(1, operations.reduce(0) { $0 + 1 + $1.jobs }) }
}

/// An operation of a user or of a handler.
indirect enum Operation: Sendable, Equatable {
  /// Creates a pending promise whose handlers run on the lane `on`.
  case create(Int, on: Lane)
  /// Calls `then`, which returns the promise with the first number. Either reaction may be absent.
  case then(Int, of: Int, Reaction?, Reaction?)
  /// Calls `fulfill` for a value, `reject` for an error, and `resolve` for anything else. With `byResolve`,
  /// calls `resolve` for a value, not `fulfill`.
  case settle(Int, Answer, byResolve: Bool)

  fileprivate var jobs: Int {
    switch self {
    case .create: 0
    case .then(_, _, let fulfilled, let rejected): 1 + max(fulfilled?.jobs ?? 0, rejected?.jobs ?? 0)
    case .settle(_, let answer, _): answer.jobs
    }
  }
}

/// A handler: the operations that it performs, and its result.
struct Reaction: Sendable, Equatable {
  var body: [Operation]
  var answer: Answer

  fileprivate var jobs: Int { body.reduce(answer.jobs) { $0 + $1.jobs } }
}

/// The result of a handler, or the argument that settles a promise.
indirect enum Answer: Sendable, Equatable {
  case value(Int)
  /// The error that a handler throws.
  case error(Int)
  case promise(Int)
  case thenable(Foreign)

  var isError: Bool { if case .error = self { true } else { false } }

  /// The function that settles a promise with this argument.
  func settlement(byResolve: Bool) -> String {
    switch self {
    case .error: "reject"
    case .value where !byResolve: "fulfill"
    case .value, .promise, .thenable: "resolve"
    }
  }

  fileprivate var jobs: Int {
    switch self {
    case .value, .error: 0
    case .promise: 1
    case .thenable(let foreign):
      // Counts the jobs of only one answer, because only one call resolves the promise.
      1 + foreign.calls.count { $0.when == .late } + (foreign.calls.map(\.answer.jobs).max() ?? 0)
    }
  }
}

/// A thenable: its `then`, and the calls that `then` makes.
struct Foreign: Sendable, Equatable {
  enum Getter: Sendable, Equatable {
    case function
    case notAFunction
    /// The getter throws the error with this number.
    case throwing(Int)
  }

  var number: Int
  var getter = Getter.function
  /// The calls of the functions that `then` receives, in order.
  var calls: [Call] = []
  /// The number of the error that `then` throws after these calls.
  var thrown: Int?

  /// The kind of the thenable's type.
  var shape: ThenableSource.Shape {
    let all = ThenableSource.Shape.allCases
    return all[number % all.count]
  }

  /// Reads the thenable's `then`, which is `method` if it is a function.
  func then(_ method: @escaping ThenFunction) throws -> ThenFunction? {
    switch getter {
    case .throwing(let error): throw ProgramError(error)
    case .notAFunction: nil
    case .function: method
    }
  }

  /// Makes the calls of the function `then`, each at its time. `value` makes an argument of `resolvePromise`.
  func call(
    _ resolvePromise: @escaping @Sendable (Any) -> Void, _ rejectPromise: @escaping @Sendable (Any) -> Void,
    value: @escaping @Sendable (Answer) -> Any, at: (Call.When, @escaping @Sendable () -> Void) -> Void
  ) throws {
    for call in calls {
      at(call.when) {
        if case .error(let error) = call.answer {
          rejectPromise(ProgramError(error))
        } else {
          resolvePromise(value(call.answer))
        }
      }
    }
    if let error = thrown { throw ProgramError(error) }
  }
}

/// A thenable's call of a function that it receives. An error is passed to `rejectPromise`, and any other
/// answer to `resolvePromise`.
struct Call: Sendable, Equatable {
  enum When: Sendable, Equatable {
    case now
    /// In a later step, after `then` has returned.
    case late
    /// Before `then` returns, but on another thread.
    case elsewhere
  }

  var answer: Answer
  var when = When.now

  /// The function that the thenable calls.
  var function: String { answer.isError ? "rejectPromise" : "resolvePromise" }
}
