/// What few promises have, kept out of line: observers, the task's hooks, a resolver. A resolver shares it, and asks it
/// when the promise has gone. Guarded by the tree's lock.
final class Side: @unchecked Sendable {
  /// Whoever wants the outcome and is not a child.
  @safe @exclusivity(unchecked) var observers = ObserverList()
  /// Run once when the promise is cancelled; dropped when it settles otherwise (C6).
  @safe @exclusivity(unchecked) var cancelHooks: [@Sendable (any Error) -> Void] = []
  /// Run once when the promise goes away unresolved (L1); dropped when it is resolved.
  @safe @exclusivity(unchecked) var abandonHooks: [@Sendable () -> Void] = []
  /// Why nobody wants the promise any more, or with what it was cancelled.
  @safe @exclusivity(unchecked) var reason: (any Error)?
  /// The anonymous child that has this one's handler, which goes on although this one was resolved by hand.
  @safe @exclusivity(unchecked) var displaced: Promise?
  /// What became of the promise, for a resolver that outlives it.
  @safe @exclusivity(unchecked) var end = End.none
  /// Where the promise was made.
  let origin: Promise.Origin?
  #if DEBUG
    /// Of a rejected promise: what was known above it (`Landmark.swift`).
    @safe @exclusivity(unchecked) var above: Promise.Landmark?
  #endif

  init(_ origin: Promise.Origin? = nil) { self.origin = origin }

  enum End { case none, cancelled, settled, abandoned }
}

extension Promise {
  /// The rare fields, made on first use. Under the lock.
  var sideFields: Side {
    if let side { return side }
    let made = Side()
    side = made
    return made
  }
}
