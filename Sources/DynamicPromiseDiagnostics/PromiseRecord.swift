import DynamicPromise

/// The record of a promise in a ``Census`` or ``Recorder``.
public struct PromiseRecord: Sendable, CustomStringConvertible {
  /// The state of a promise.
  public enum State: String, Sendable, CaseIterable {
    /// Not settled yet.
    case pending
    /// Settled, with a value.
    case fulfilled
    /// Settled, with a reason.
    case rejected
    /// Cancelled by request.
    case cancelled
    /// Abandoned: freed while it was pending.
    case abandoned
  }

  /// The promise's number in the census or recorder, from 1 in the order of creation.
  public internal(set) var number: Int
  /// The context of the promise's handler; without a handler, the default context. The text is a queue's
  /// label or a type's name.
  public let context: String
  /// The number of the parent, if the parent is recorded too.
  public internal(set) var parent: Int?
  /// The promise's name.
  public internal(set) var label: String?
  /// The promise's state.
  public internal(set) var state = State.pending
  /// The reason of a rejection or cancel; `nil` in a census.
  public internal(set) var reason: (any Error)?
  /// Whether the promise was freed before its rejection was handled or observed. Cancellations do not count.
  /// `false` while the promise exists, because its rejection can still be handled.
  public var isUnhandled: Bool {
    guard state == .rejected, !wasObserved, let reason else { return false }
    return !reason.isCancellation
  }
  /// Whether the promise exists, or its rejection was observed.
  var wasObserved = true
  /// The place where the promise was made with a resolver or, in debug builds, by a task, a combinator, a
  /// series, a timer, or a handler; otherwise the place where it was named.
  public internal(set) var origin: Promise.Origin?
  /// The number of the promise that this promise follows or followed.
  public internal(set) var follows: Int?
  /// For a combinator's result: the numbers of its inputs or steps.
  public internal(set) var inputs: [Int] = []
  /// For a combinator's result: the combinator's name, such as `all` or `race`; `steps` for a series; else
  /// `task`, `timer`, `queue of width 1`, or `unfinished` for the work left by the parent.
  public internal(set) var combinator: String?
  /// The time when the promise was made, since the recorder's start; zero in a census.
  public internal(set) var made = Duration.zero
  /// The time when the promise's handler was called; zero in a census.
  public internal(set) var handlerBegan: Duration?
  /// The time when the promise's handler returned.
  public internal(set) var handlerEnded: Duration?
  /// The time when the promise settled.
  public internal(set) var settled: Duration?
  /// The number of the promise whose handler was running on the thread when this promise settled.
  public internal(set) var settledDuring: Int?
  /// The nearest ancestor that had a name or an origin when this promise was made, and its distance in steps.
  private let landmark: (name: String, distance: Int)?

  init(number: Int, context: String, below parent: PromiseRecord?) {
    self.number = number
    self.context = oneLine(context, limit: 200)
    self.parent = parent?.number
    if let parent, parent.label != nil || parent.origin != nil {
      landmark = (parent.label == nil ? "the one made at \(parent.origin!)" : parent.name, 1)
    } else {
      landmark = parent?.landmark.map { ($0.name, $0.distance + 1) }
    }
  }

  /// The reason of a rejection in one line, for pictures; `nil` for a cancel with `CancellationError`.
  var outcome: String? {
    guard let reason, !(state == .cancelled && reason is CancellationError) else { return nil }
    return (isUnhandled ? "unhandled, reason: " : "reason: ") + oneLine("\(reason)", limit: 200)
  }

  /// The label, as one line of at most 200 characters, or the number.
  public var name: String { label.map { oneLine($0, limit: 200) } ?? "#\(number)" }

  /// The name, state, context and place of the promise. If the promise has neither place nor label, the text
  /// contains the nearest ancestor with a place or label, and its distance.
  public var description: String {
    var text = "\(name): \(state) on \(context)"
    if let origin {
      text += ", made at \(origin)"
    } else if label == nil, let landmark {
      text += ", \(landmark.distance) \(landmark.distance == 1 ? "step" : "steps") below \(landmark.name)"
    }
    return text
  }
}
