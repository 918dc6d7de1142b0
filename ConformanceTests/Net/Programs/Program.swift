// A program of promises as data: the operations of a user, and of handlers, hooks, thenables and deinits.
//
// Every promise, handler, value and hook has its own number, which is fixed when the program is generated.
// Any part of a program is a program, because an operation does nothing if its promise does not exist.
//
// Programs exclude these features, for these reasons:
//
// - `Promise.task`, promises of tasks, actors, the main actor: these features need other threads;
// - iterating `results(of:)`, for the same reason; programs make and drop the sequence, which is a consumer;
// - typed handlers and `spread`: they are a `then` with casts (`CompileCorpus`, `ReduceTests`);
// - combinators with keys: they use the collectors of combinators without keys, and dictionaries have no
//   order (`KeyedTests`);
// - `init(onCancel:onAbandon:)`: it registers the hooks of a resolver (`HookTests`);
// - `Promise.delay(_:_:on:)`: it is `delay` below a settled promise;
// - a second run of a job (X3.7).

/// A program of promises.
public struct Program: Sendable, Equatable {
  /// The seed of the generator.
  public let seed: UInt64
  var operations: [Operation]
  /// The number of threads that perform the operations.
  var threads = 1
  /// Whether a run settles and releases everything after the last operation.
  var hasEnd = true

  /// The number of outside operations.
  public var count: Int { operations.count }
}

/// A context of a program: two stepped contexts, one that runs jobs in place, and a foreign context that also
/// runs jobs in place.
/// Programs on threads also use a serial and a concurrent queue, and the default context.
enum Place: String, Sendable {
  case a, b, immediate, atOnce
  case serial, concurrent, pool
}

/// An operation of a user, a handler, a hook or a deinit.
indirect enum Operation: Sendable, Equatable {
  /// A new root. The program also keeps its resolver.
  case root(Int, Place)
  /// A new child of `of`.
  case child(Int, of: Int, Step, on: Place?, Handler)
  /// Many promises at once, with consecutive numbers, so that the library's slices of work end between them.
  case many(Int, count: Int, of: Int, Shape, Step, on: Place?)
  /// Performs operations deep inside this many handlers in place.
  case nested(Int, [Operation])
  /// A new root whose closure settles or resolves it. With `.nothing`, the closure keeps the resolver
  /// instead.
  case made(Int, Place, [Operation], Answer)
  /// Settles a promise by hand, or resolves it.
  case settle(Int, Answer)
  /// Settles or resolves a promise through its resolver, which may have outlived the promise.
  case resolve(Int, Answer)
  case cancel(Int, reason: Int)
  case withdraw(Int, reason: Int)
  /// Registers a hook with the resolver of a root.
  case hook(Event, Int, of: Int, [Operation])
  /// Registers observers of values, failures and cancellations.
  case observe(of: Int, on: Place?, [Operation], capture: Payload?)
  case cancelsWhenUnwanted(Int)
  case ignoreErrors(Int)
  /// Releases the program's reference to the promise.
  case drop(Int)
  /// Releases the program's reference to the resolver.
  case loseResolver(Int)
  /// Runs the oldest job of a stepped context.
  case step(Place)
  /// Moves the clock of a stepped context to its next timer.
  case tick(Place)
  /// Runs all jobs of a stepped context.
  case drain(Place)
  /// Drops all jobs and timers of a stepped context.
  case dropJobs(Place)
  /// A child that is cancelled when its bag is released. A bag is made with its first child.
  case bagged(Int, of: Int, bag: Int)
  case dropBag(Int)
  case combine(Int, Combinator, of: [Int], Cancelling)
  /// A series. The input 0 is a plain value, and the input -1 is a thenable.
  case series(Int, Series, of: [Int], on: Place, [Handler])
  case finished(Int, of: Int, on: Place?)
  /// A sequence of outcomes, which nothing iterates.
  case results(Int, of: [Int])
  case dropResults(Int)
  /// A blocking wait whose deadline expires at once.
  case wait(Int)
  /// A task that waits for a promise, and that is cancelled at once or never.
  case await(Int, isCancelled: Bool)
  /// Blocks until a handler on a queue has run.
  case elsewhere
  /// Performs operations when the next rejection is lost.
  case whenLost([Operation])
  /// Reads `parent` and `root`.
  case look(Int)
}

/// The event that runs a hook.
enum Event: String, Sendable { case cancel = "onCancel", abandon = "onAbandon", end = "onTermination" }

/// The shape of many promises: children of one promise, a chain of children, followers of one promise, or a
/// chain of followers.
enum Shape: String, Sendable, CaseIterable { case fan, chain, followers, followerChain }

/// How a child is made.
enum Step: String, Sendable, CaseIterable {
  case value, reason, both, finally, tap, tapBoth, none, shield, timeout, delay, bagged
  /// A `then` whose handler suspends, in programs on threads.
  case suspending

  /// Whether the step has a handler for a parent with this outcome.
  func handles(fulfilled: Bool) -> Bool {
    switch self {
    case .both, .finally, .tapBoth: true
    case .value, .tap, .suspending: fulfilled
    case .reason: !fulfilled
    case .none, .shield, .timeout, .delay, .bagged: false
    }
  }

  /// Whether the step needs a clock.
  var isTimed: Bool { self == .timeout || self == .delay }

  var hasHandler: Bool { handles(fulfilled: true) || handles(fulfilled: false) }

  /// Whether the step passes the outcome on unchanged.
  var isTap: Bool { self == .tap || self == .tapBoth }
}

/// `limited` is `timeout(cancelling: true)`. `limited` and `reflect` use the first input
/// alone.
enum Combinator: String, Sendable, CaseIterable {
  case all, allSettled, any, race, limited, reflect

  /// Whether the combinator has one input, from which it withdraws.
  var isOfOne: Bool { self == .limited || self == .reflect }
}

/// Whether a result withdraws from its inputs when it is cancelled, and from the rest when it is decided.
struct Cancelling: Sendable, Equatable {
  var inputs = true
  var rest = false
}

/// A kind of series. Its tasks run in turn, or together.
enum Series: String, Sendable, CaseIterable {
  case map, mapCancellingRest, mapInTurn, sequence, `repeat`, retry, retryLater

  var hasInputs: Bool { self != .repeat && self != .retry && self != .retryLater }
}

/// The operations of a handler, its answer, and the capture of its closure.
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

/// The answer of a handler, or the argument of a settlement by hand.
indirect enum Answer: Sendable, Equatable {
  case nothing
  case value(Payload)
  /// An `Error` that the handler returns. A settlement by hand calls `reject`.
  case failure(Payload)
  /// An `Error` that the handler throws. A settlement by hand calls `reject`.
  case thrown(Payload)
  case promise(Int)
  case thenable(Call)
}

/// A thenable. Its getter performs operations. Its method performs other operations, and answers at once.
/// With the answer `.nothing`, the method releases both its functions without calling them.
struct Call: Sendable, Equatable {
  var getter: [Operation]
  var method: [Operation]
  var answer: Answer
}

extension Answer {
  /// The outcome, as a text, of a promise that is settled by hand with this answer.
  var text: String? {
    switch self {
    case .nothing: "nil"
    case .value(let payload): "\(payload.number)"
    case .failure(let payload), .thrown(let payload): "!\(payload.number)"
    case .promise, .thenable: nil
    }
  }
}
