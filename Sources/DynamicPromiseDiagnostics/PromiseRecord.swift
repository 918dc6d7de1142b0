import DynamicPromise

/// What a ``Census`` or ``Recorder`` knows of a promise.
public struct PromiseRecord: Sendable, CustomStringConvertible {
  /// What became of a promise.
  public enum State: String, Sendable, CaseIterable {
    /// Not settled yet.
    case pending
    /// Settled, with a value.
    case fulfilled
    /// Settled, with a reason.
    case rejected
    /// Was cancelled by request.
    case cancelled
    /// Freed while it was pending: nobody waited for it any more.
    case abandoned
  }

  /// The promise's number in the census or recorder, from 1 in the order of making.
  public internal(set) var number: Int
  /// Where the promise's handler runs, or for a root the handlers of its children: the label of a queue, or
  /// the name of a type.
  public let context: String
  /// The number of the parent, if that was made since the census or recorder began, too.
  public internal(set) var parent: Int?
  /// The promise's name.
  public internal(set) var label: String?
  /// What became of the promise.
  public internal(set) var state = State.pending
  /// Where the promise was made with a resolver, or else named.
  public internal(set) var origin: Promise.Origin?
  /// The number of the promise whose outcome it has taken over, or waits for.
  public internal(set) var follows: Int?
  /// Of a combinator's result: the numbers of the promises that it waits for, or has waited for.
  public internal(set) var inputs: [Int] = []
  /// Of a combinator's result: `all`, `allSettled`, `any`, `race`, or `steps` for those that run tasks in
  /// turn.
  public internal(set) var combinator: String?
  /// When it was made, counted from the recorder's beginning. A census reads no clock.
  public internal(set) var made = Duration.zero
  /// When its handler was called.
  public internal(set) var handlerBegan: Duration?
  /// When its handler returned.
  public internal(set) var handlerEnded: Duration?
  /// When it settled.
  public internal(set) var settled: Duration?
  /// The number of the promise during whose handler it settled, on the same thread.
  public internal(set) var settledDuring: Int?
  /// The nearest ancestor with a name or an origin, at the time of making, and how many steps above.
  private let landmark: (name: String, distance: Int)?

  init(number: Int, context: String, below parent: PromiseRecord?) {
    self.number = number
    self.context = context
    self.parent = parent?.number
    if let parent, parent.label != nil || parent.origin != nil {
      landmark = (parent.label ?? "the one made at \(parent.origin!)", 1)
    } else {
      landmark = parent?.landmark.map { ($0.name, $0.distance + 1) }
    }
  }

  /// The label, or the number.
  public var name: String { label ?? "#\(number)" }

  /// Name, state, context, and where the promise was made. If that is not known: how far it is below which
  /// promise whose place or name is known.
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
