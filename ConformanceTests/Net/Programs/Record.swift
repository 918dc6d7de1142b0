// The harness's records of promises, hooks and values.

import DynamicPromise

/// One broken rule of the Spec.
public struct Violation: Sendable, Equatable, CustomStringConvertible {
  /// The clause, which also identifies the rule while a program is shrunk.
  public let clause: String
  /// The violation in words, with the number of the promise.
  public let text: String

  /// The clause and the text.
  public var description: String { "\(clause): \(text)" }
}

/// The outcome of a promise, as far as it can be read.
struct Seen: Equatable {
  let text: String
  let isFulfilled: Bool
  let isCancelledByRequest: Bool

  /// Reads the description, because reading `result` would observe a rejection (L5.2).
  init?(_ promise: Promise) {
    guard promise.isSettled else { return nil }
    isFulfilled = promise.isFulfilled
    let description = promise.description
    isCancelledByRequest = description.hasPrefix("Promise(cancelled: ")
    if isFulfilled, let result = promise.result {
      text = ExecutableSpec.text(result)
    } else {
      // "Promise(rejected: ...)"
      let reason = "!" + description.drop { $0 != ":" }.dropFirst(2).dropLast()
      // Removes the places of promises, which some reasons contain. Most reasons have no comma, and skip the
      // regular expression, which is slow because it is compiled at each use.
      text =
        reason.utf8.contains(UInt8(ascii: ","))
        ? reason.replacing(/, [0-9]+ steps? below the promise made at [^,\]]+/, with: "") : reason
    }
  }
}

/// A promise of a program.
final class Record: @unchecked Sendable {
  let number: Int
  let parent: Record?
  let step: Step
  let place: Place
  /// The number of promises that were made earlier.
  let age: Int
  var handler: Handler?
  private var weakPromise: WeakPromise?
  /// The promise, while it exists.
  var promise: Promise? {
    get { weakPromise?.value }
    set { weakPromise = newValue.map { WeakPromise($0) } }
  }
  /// The parent had settled before the registration.
  var isLate = false
  /// When the registration began and ended, by the world's clock.
  var begins = 0
  var ends = Int.max
  var children: [Record] = []
  var seen: Seen?
  /// How often the handler has begun, and whether it runs now.
  var runs = 0
  var isRunning = false
  /// The promises whose handlers must begin before this promise's handler (C4.25).
  var comesAfter: [Record] = []
  /// The handler began while the parent was pending, because of a withdrawal (C4.11).
  var beganEarly = false
  /// The number of promises when the handler began.
  var begun = 0
  var isResolvedByHand = false
  /// The resolver was used, perhaps without effect.
  var hasUsedResolver = false
  /// Made with `Promise()`: any code may settle it.
  var isOpen = false
  var target: Record?
  /// A consumer has withdrawn from the promise (C4).
  var isUnwanted = false
  /// A consumer has withdrawn from the promise, perhaps without effect.
  var wasWithdrawnFrom = false
  var hasUnknownConsumers = false
  /// Promises that were certainly cancelled because this promise, as the last consumer, withdrew (K17.11).
  var gaveUp: [Record] = []
  /// When this happened, by the world's clock. What is added below them later is not awaited.
  var gaveUpAt = 0
  /// The outcome of a settlement by hand, as a text.
  var settledByHandWith: String?
  /// `cancel` was called on the promise, or its bag was released.
  var wasCancelled = false
  var cancelsWhenUnwanted = false
  /// The handler, or a call by hand, has resolved the promise with a thenable.
  var hasThenable = false
  /// The combinator whose result is this promise. `inputs` are those of a combinator or series.
  var combinator: Combinator?
  var inputs: [Record] = []
  var cancelling = Cancelling(inputs: false)
  var hooks: [Hook] = []
  var abandonHooks: [Hook] = []
  var terminations: [Hook] = []
  var observers: [Hook] = []
  /// The resolver was released while the promise was unresolved (L2.2).
  var lostResolver = false
  /// The promise has a handler, follower, collector or waiter (L5.2).
  var isObserved = false
  var mayBeObserved = false
  /// Results that read the promise were dropped while it was perhaps pending.
  var wasLeft = false
  /// The promise is cancelled when this bag is released.
  var bag: Int?
  /// The series whose result is this promise, the answers of its tasks, and the promises among these answers.
  var series: Series?
  var answers: [Answer] = []
  var taskPromises: [Record] = []
  var hasPlainInputs = false
  /// The results of the series whose tasks have returned this promise.
  var users: [Record] = []
  /// The promises to which this promise was bound after its cancel.
  var lateTargets: [Record] = []
  /// The top of the tree, if this promise is the result of `finished()`.
  var top: Record?

  init(_ number: Int, parent: Record?, _ step: Step, _ place: Place, age: Int) {
    (self.number, self.parent, self.step, self.place, self.age) = (number, parent, step, place, age)
  }

  /// Breaks the reference cycles between records.
  func forgetOthers() {
    (children, target, inputs, top) = ([], nil, [], nil)
    (taskPromises, users, comesAfter, lateTargets, gaveUp) = ([], [], [], [], [])
  }

  /// Whether this promise follows `other`, perhaps through further promises.
  func leads(to other: Record) -> Bool {
    sequence(first: self, next: \.target).prefix(100).contains { $0 === other }
  }

  /// This promise and its ancestors.
  var path: some Sequence<Record> { sequence(first: self, next: \.parent) }

  /// The promise that this promise follows. Deallocated promises are skipped, because their followers then
  /// follow the targets of the deallocated promises.
  var followed: Record? {
    var next = target
    // The limit ends the search in a ring of deallocated promises.
    for _ in 0..<1000 {
      guard let place = next, place.promise == nil, place.seen == nil, let further = place.target else {
        break
      }
      next = further
    }
    return next
  }

  /// Whether the promise exists and is not settled.
  var isPending: Bool { promise?.isPending == true }

  /// Whether something may have cancelled the promise and its descendants.
  var mayBeCancelled: Bool {
    wasCancelled || cancelsWhenUnwanted || wasWithdrawnFrom || hasUnknownConsumers || hasThenable
      || !users.isEmpty
  }

  /// Whether the rejection handler has not run yet. If so, the promise may be pending below a cancelled
  /// promise (C2.3).
  var hasCleanUpToDo: Bool { step.handles(fulfilled: false) && runs == 0 }
}

/// A hook of a resolver, or a group of observers of which one runs.
final class Hook: @unchecked Sendable {
  let number: Int
  var runs = 0

  init(_ number: Int) { self.number = number }
}

/// A value or capture that is counted, and that may perform operations when it is deallocated.
class Token: CustomStringConvertible, @unchecked Sendable {
  let payload: Payload
  private let world: World

  init(_ payload: Payload, _ world: World) {
    (self.payload, self.world) = (payload, world)
    world.inside { world.tokens += 1 }
  }

  var description: String { "\(payload.number)" }

  deinit {
    world.inside {
      world.tokens -= 1
      world.perform(payload.onDeinit, in: .deinit)
    }
  }
}

/// A token that serves as a reason.
final class Failure: Token, Error, @unchecked Sendable {}

/// An outcome as a text, for comparison with other outcomes.
func text(_ result: Result<Any, any Error>) -> String {
  switch result {
  case .success(let value): text(value)
  case .failure(let reason): "!" + text(reason)
  }
}

func text(_ value: Any) -> String {
  switch value {
  case let results as [Result<Any, any Error>]: "[\(results.map { text($0) }.joined(separator: " "))]"
  case let values as [Any]: "[\(values.map { text($0) }.joined(separator: " "))]"
  case let result as Result<Any, any Error>: text(result)
  case let error as PromiseError: text(error)
  default: "\(value)"
  }
}

/// The text of an error, without the source locations that it contains.
private func text(_ error: PromiseError) -> String {
  switch error {
  case .timeout: "\(PromiseError.timeout)"
  case .noneFulfilled(let reasons):
    "none of \(reasons.count) was fulfilled: [\(reasons.map { text($0) }.joined(separator: ", "))]"
  default: "\(error)"
  }
}
