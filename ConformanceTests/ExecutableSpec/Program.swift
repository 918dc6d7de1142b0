// A program of promises as data: what a user does, and what handlers, hooks, thenables and deinits do.
//
// Every promise, handler, value and hook has a number of its own, which is fixed when the program is
// generated. An operation whose promise does not exist (any more, or yet) does nothing, so any part of a
// program is a program.
//
// What programs leave out, and why:
//
// - asynchronous handlers, `Promise.task`, promises of tasks, `value`, actors, the main actor, the default
//   context: they need other threads (`Stress` has them);
// - iterating `results(of:)`, for the same reason; programs make and drop the sequence, which is a consumer;
// - typed handlers and `spread`: a `then` with casts (`CompileCorpus`, `SpreadTests`);
// - combinators with keys: the collectors of those without, and dictionaries have no order (`KeyedTests`);
// - `init(onCancel:onAbandon:)`: the hooks of a resolver (`CancelHandlerTests`);
// - `Promise.delay(_:_:on:)`: `delay` below a promise that is settled;
// - a second run of a job (X3.7).

/// A program of promises.
public struct Program: Sendable, Equatable {
  /// What it was made from.
  public let seed: UInt64
  var operations: [Operation]
  /// When it is run, everything is settled and released afterwards.
  var hasEnd = true

  /// How many operations from outside it has.
  public var count: Int { operations.count }

  init(seed: UInt64, operations: [Operation], hasEnd: Bool = true) {
    (self.seed, self.operations, self.hasEnd) = (seed, operations, hasEnd)
  }
}

/// A context of a program: two that are stepped, one that runs in place, and a foreign one that runs
/// its jobs in place.
enum Place: String, Sendable, CaseIterable { case a, b, immediate, atOnce }

/// What a user, a handler, a hook or a deinit does.
indirect enum Operation: Sendable, Equatable {
  /// A new root. The program also keeps its resolver.
  case root(Int, Place)
  /// A new child of `of`.
  case child(Int, of: Int, Step, on: Place?, Handler)
  /// So many promises at once, with consecutive numbers: slices of work end among them.
  case many(Int, count: Int, of: Int, Shape, Step, on: Place?)
  /// Does something deep inside so many handlers in place.
  case nested(Int, [Operation])
  /// A new root whose closure settles or resolves it, or with `.nothing` keeps its resolver.
  case made(Int, Place, [Operation], Answer)
  /// Settles a promise by hand, or resolves it.
  case settle(Int, Answer)
  /// The same through the resolver, which may have outlived its promise.
  case resolve(Int, Answer)
  case bind(Int, to: Int)
  case cancel(Int, reason: Int)
  case withdraw(Int, reason: Int)
  /// Registers a cancellation hook with the resolver of a root.
  case hook(Int, of: Int, [Operation])
  /// Registers an abandon hook with the resolver of a root.
  case abandonHook(Int, of: Int, [Operation])
  /// Registers a hook for every end with the resolver of a root.
  case termination(Int, of: Int, [Operation])
  /// Registers observers of values, failures and cancellations.
  case observe(of: Int, on: Place?, [Operation], capture: Payload?)
  case cancelsWhenUnwanted(Int)
  case ignoreErrors(Int)
  /// The program's reference to the promise is released.
  case drop(Int)
  /// The program's reference to the resolver is released.
  case loseResolver(Int)
  /// Runs the oldest job of a stepped context.
  case step(Place)
  /// Moves the clock of a stepped context to its next timer.
  case tick(Place)
  /// Runs all jobs of a stepped context.
  case drain(Place)
  /// A stepped context drops all jobs and timers.
  case dropJobs(Place)
  /// A child that is cancelled with a bag, which is made with its first child.
  case bagged(Int, of: Int, bag: Int)
  case dropBag(Int)
  case combine(Int, Combinator, of: [Int], cancellingInputs: Bool)
  /// Of the inputs 0 is a plain value, and -1 a thenable.
  case series(Int, Series, of: [Int], on: Place, [Handler])
  case finished(Int, of: Int, on: Place?)
  /// A sequence of outcomes, which nothing iterates.
  case results(Int, of: [Int])
  case dropResults(Int)
  /// A blocking wait with a deadline that is over at once.
  case wait(Int)
  /// Blocks until a handler on a queue has run.
  case elsewhere
  /// Is done when a rejection is lost the next time.
  case whenLost([Operation])
  /// Reads `parent` and `root`.
  case look(Int)
}

/// How many promises are made at once: children of one, each the child of the one before, followers of one,
/// each following the one before.
enum Shape: String, Sendable, CaseIterable { case fan, chain, followers, followerChain }

/// How a child is made.
enum Step: String, Sendable, CaseIterable {
  case value, reason, both, finally, tap, tapReason, tapBoth, none, shield, timeout, deadline, delay, bagged

  /// Whether it has a handler for a parent that is fulfilled or rejected.
  func handles(fulfilled: Bool) -> Bool {
    switch self {
    case .both, .finally, .tapBoth: true
    case .value, .tap: fulfilled
    case .reason, .tapReason: !fulfilled
    case .none, .shield, .timeout, .deadline, .delay, .bagged: false
    }
  }

  /// Whether it needs a clock.
  var isTimed: Bool { self == .timeout || self == .deadline || self == .delay }

  var hasHandler: Bool { handles(fulfilled: true) || handles(fulfilled: false) }

  /// Whether it passes the outcome on, and only looks at it.
  var isTap: Bool { self == .tap || self == .tapReason || self == .tapBoth }
}

/// `limited`: `timeout(cancelling: true)`, of the first input, as `reflect`. `some`: the first two values.
enum Combinator: String, Sendable, CaseIterable {
  case all, allSettled, any, race, some, limited, reflect

  /// Whether it has one input, from which it withdraws.
  var isOfOne: Bool { self == .limited || self == .reflect }
}

/// Series whose tasks run in turn, or together.
enum Series: String, Sendable, CaseIterable {
  case map, mapCancellingRest, mapInTurn, filter, sequence, each, reduce, `repeat`, retry, retryLater

  var hasInputs: Bool { self != .repeat && self != .retry && self != .retryLater }
}

/// What a handler does, what it returns, and what its closure captures.
struct Handler: Sendable, Equatable {
  var body: [Operation]
  var answer: Answer
  var capture: Payload? = nil
}

/// An object that the program counts. When it is deallocated, it may perform operations.
struct Payload: Sendable, Equatable {
  var number: Int
  var onDeinit: [Operation]
}

/// What a handler returns, or what a promise is settled with by hand.
indirect enum Answer: Sendable, Equatable {
  case nothing
  case value(Payload)
  /// An `Error` that is returned; by hand: `reject`.
  case failure(Payload)
  /// An `Error` that is thrown; by hand: `reject`.
  case thrown(Payload)
  case promise(Int)
  case thenable(Call)
}

/// A thenable: its getter performs operations, its method performs others and answers at once. `.nothing`
/// means that it releases both its functions uncalled.
struct Call: Sendable, Equatable {
  var getter: [Operation]
  var method: [Operation]
  var answer: Answer
}

extension Answer {
  /// What a promise that is settled with it by hand comes to.
  var text: String? {
    switch self {
    case .nothing: "nil"
    case .value(let payload): "\(payload.number)"
    case .failure(let payload), .thrown(let payload): "!\(payload.number)"
    case .promise, .thenable: nil
    }
  }
}
