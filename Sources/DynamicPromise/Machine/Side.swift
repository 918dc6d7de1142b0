/// Side storage for what few promises have: observers, the task's hooks, a resolver. The resolver shares it,
/// and reads it when the promise was freed. Guarded by the tree's lock.
final class Side: @unchecked Sendable {
  /// Observers: they wait for the outcome, and are not children.
  @exclusivity(unchecked) var observers = ObserverList()
  /// The handler had been scheduled already: this promise's job starts the detached child.
  @exclusivity(unchecked) var startsDetachedChild = false
  /// Who is still to resolve the promise.
  @exclusivity(unchecked) var source = Source.none
  /// What became of the promise, for a resolver that outlives it.
  @exclusivity(unchecked) var end = End.none
  /// Run once when the promise is cancelled; dropped when it settles otherwise.
  @exclusivity(unchecked) var cancelHooks: [@Sendable (any Error) -> Void] = []
  /// Run once when the promise is freed unresolved; dropped when it is resolved.
  @exclusivity(unchecked) var abandonHooks: [@Sendable () -> Void] = []
  /// Why the promise is unwanted, or with what it was cancelled.
  @exclusivity(unchecked) var reason: (any Error)?
  /// The detached child that has this one's handler, if this one was resolved by hand before the handler ran.
  /// Until this one has settled, a cancel is passed on to it.
  @exclusivity(unchecked) var detachedChild: Promise?
  /// What the promise was named, in `DynamicPromiseDiagnostics`.
  @exclusivity(unchecked) var label: Label?
  /// Where the promise was made.
  let origin: Promise.Origin?
  #if DEBUG
    /// Of a rejected promise: what was known above it (`Landmark.swift`).
    @exclusivity(unchecked) var above: Promise.Landmark?
  #endif
  /// What is left to do, once the promise has settled (`Finishing.swift`).
  @exclusivity(unchecked) var unfinished: UnfinishedWork?

  init(_ origin: Promise.Origin? = nil) { self.origin = origin }

  /// `resolver`: one that was not used. `task`: a Swift task that has not ended.
  enum Source { case none, resolver, task }

  enum End {
    case none, cancelled, settled
    /// Freed while it was unresolved, or while it followed.
    case abandoned, left
  }

  /// A text that takes one word here: few promises have a name.
  final class Label: Sendable {
    let text: String
    init(_ text: String) { self.text = text }
  }
}

extension Promise {
  /// The rare fields, made on first use. Under the lock.
  var sideFields: Side {
    if let side { return side }
    let made = Side()
    side = made
    return made
  }

  /// What the promise was named; the empty text counts as none.
  package var label: String? {
    get { lock.with { side?.label }?.text }
    set {
      let new = newValue.flatMap { $0.isEmpty ? nil : Side.Label($0) }
      let former = lock.with { () -> Side.Label? in
        if new == nil, side == nil { return nil }
        defer { sideFields.label = new }
        return side?.label
      }
      withExtendedLifetime(former) {}
    }
  }
}
