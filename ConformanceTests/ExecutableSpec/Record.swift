// What the harness knows of a promise, a hook, a value.

import DynamicPromise

/// One broken rule of the Spec.
public struct Violation: Sendable, Equatable, CustomStringConvertible {
  /// The clause, which also identifies the rule while a program is shrunk.
  public let clause: String
  /// Which promise, and what of it.
  public let text: String

  /// The clause and the text.
  public var description: String { "\(clause): \(text)" }
}

/// How a promise has settled, as far as it can be read.
struct Seen: Equatable {
  let text: String
  let isFulfilled: Bool
  let isCancelledByRequest: Bool

  /// Not by its `result`, for that would observe a rejection (L5.2).
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
      // Without the promises that took too long. The expression is compiled at each use, which takes long.
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
  /// When it was made: the count of promises before it.
  let age: Int
  var handler: Handler?
  weak var promise: Promise?
  var children: [Record] = []
  var seen: Seen?
  /// After how many checks.
  var seenAt = 0
  /// How often its handler has begun, and whether it runs.
  var runs = 0
  var isRunning = false
  /// A `finished` has said that nothing of it is left, when its parent had settled.
  var mustNotRun = false
  /// Whose handlers have to begin before its own (C4.25).
  var comesAfter: [Record] = []
  /// Its handler began while its parent was pending, because of a withdrawal (C4.11).
  var beganEarly = false
  /// How many promises there were when its handler began.
  var begun = 0
  var isResolvedByHand = false
  /// Its resolver was used, perhaps in vain.
  var hasUsedResolver = false
  var target: Record?
  /// A consumer has withdrawn from it (C4).
  var isUnwanted = false
  /// The same, also if it had no effect.
  var wasWithdrawnFrom = false
  var hasUnknownConsumers = false
  /// What it was settled with by hand, as a text.
  var settledByHandWith: String?
  /// A cancel was called on it, or it has withdrawn consumers of a kind that is not followed up.
  var wasCancelled = false
  var cancelsWhenUnwanted = false
  /// Its handler, or a hand, has resolved it with a thenable.
  var hasThenable = false
  /// Of a combinator.
  var combinator: Combinator?
  var inputs: [Record] = []
  var cancelsInputs = false
  var hooks: [Hook] = []
  var abandonHooks: [Hook] = []
  var terminations: [Hook] = []
  var observers: [Hook] = []
  /// Its resolver was released while it was unresolved (L2.2).
  var lostResolver = false
  /// It has a handler, follower, collector or waiter (L5.2).
  var isObserved = false
  var mayBeObserved = false
  /// It is cancelled when this bag is released.
  var bag: Int?
  /// Of a series: what it is of, which answers its tasks have given, and the promises among them.
  var series: Series?
  var answers: [Answer] = []
  var taskPromises: [Record] = []
  var hasPlainInputs = false
  var inputCount = 0
  /// Series of which a task has returned it.
  var users: [Record] = []
  /// Of a `finished`: the top of the tree.
  var top: Record?

  init(_ number: Int, parent: Record?, _ step: Step, _ place: Place, age: Int) {
    (self.number, self.parent, self.step, self.place, self.age) = (number, parent, step, place, age)
  }

  /// Records that refer to each other would stay.
  func forgetOthers() {
    (children, target, inputs, top) = ([], nil, [], nil)
    (taskPromises, users, comesAfter) = ([], [], [])
  }

  var root: Record {
    var root = self
    while let parent = root.parent { root = parent }
    return root
  }

  /// The same, past freed ones: their followers follow what they have followed.
  var followed: Record? {
    var next = target
    // A ring of them leads nowhere.
    for _ in 0..<1000 {
      guard let place = next, place.promise == nil, place.seen == nil, let further = place.target else {
        break
      }
      next = further
    }
    return next
  }

  /// Alive and not settled.
  var isPending: Bool { promise?.isPending == true }

  /// Whether there is anything that might cancel it and what is below.
  var mayBeCancelled: Bool {
    wasCancelled || cancelsWhenUnwanted || wasWithdrawnFrom || hasUnknownConsumers || hasThenable
      || !users.isEmpty
  }

  /// Its rejection handler has still to run: it may be pending below a promise that was cancelled (C2.3).
  var hasCleanUpToDo: Bool { step.handles(fulfilled: false) && runs == 0 }
}

/// A hook of a resolver, or observers of which one runs.
final class Hook: @unchecked Sendable {
  let number: Int
  var runs = 0
  var isRunning = false

  init(_ number: Int) { self.number = number }
}

/// A value or capture that is counted, and that may perform operations when it is deallocated.
class Token: CustomStringConvertible, @unchecked Sendable {
  let payload: Payload
  private let world: World

  init(_ payload: Payload, _ world: World) {
    (self.payload, self.world) = (payload, world)
    world.tokens += 1
  }

  var description: String { "\(payload.number)" }

  deinit {
    world.tokens -= 1
    world.perform(payload.onDeinit, in: .deinit)
  }
}

/// The same as a reason.
final class Failure: Token, Error, @unchecked Sendable {}

/// An outcome as a text by which outcomes are compared.
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

/// Without the places that an error names.
private func text(_ error: PromiseError) -> String {
  switch error {
  case .timeout: "\(PromiseError.timeout)"
  case .noneFulfilled(let reasons):
    "none of \(reasons.count) was fulfilled: [\(reasons.map { text($0) }.joined(separator: ", "))]"
  default: "\(error)"
  }
}
