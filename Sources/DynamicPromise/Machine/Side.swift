/// Storage for the fields that few promises use: observers, hooks, the state of the resolver. The resolver
/// shares this storage, and reads it after the promise was freed. Guarded by the tree's lock.
final class Side: @unchecked Sendable {
  /// Observers wait for the outcome, but are not children.
  @exclusivity(unchecked) var observers = ObserverList()
  /// Whether a consumer has withdrawn. A cancel that this causes counts as observed.
  @exclusivity(unchecked) var hasWithdrawnConsumer = false
  /// The resolver or task that has not resolved the promise yet.
  @exclusivity(unchecked) var source = Source.none
  /// How the promise ended, for a resolver that outlives it.
  @exclusivity(unchecked) var end = End.none
  /// Called once if the promise is cancelled, released if it settles otherwise.
  @exclusivity(unchecked) var cancelHooks: [@Sendable (any Error) -> Void] = []
  /// Called once if the promise is freed unresolved, released if it is resolved.
  @exclusivity(unchecked) var abandonHooks: [@Sendable () -> Void] = []
  /// Why the promise is unwanted, or the reason with which it was cancelled.
  @exclusivity(unchecked) var reason: (any Error)?
  /// The promise's name, which `DynamicPromiseDiagnostics` sets.
  @exclusivity(unchecked) var label: Label?
  /// Where the promise was made.
  let origin: Promise.Origin?
  #if DEBUG
    /// For a rejected promise: the nearest known ancestor with a name or an origin (`Landmark.swift`).
    @exclusivity(unchecked) var above: Promise.Landmark?
  #endif
  /// The unfinished work of a settled promise (`Finishing.swift`).
  @exclusivity(unchecked) var unfinished: UnfinishedWork?
  /// A promise above without which this promise is not finished (`FinishedWait.swift`): that at which its
  /// cancel began, or the extra child of an unfinished promise.
  @exclusivity(unchecked) var workAbove: Promise?

  @inline(__always) var hasWork: Bool { unfinished != nil || workAbove != nil }

  init(_ origin: Promise.Origin? = nil) { self.origin = origin }

  /// `resolver`: a resolver that was not used. `awaitedResolver`: `finished()` waits for it after a cancel.
  /// `task`: a Swift task that has not ended.
  enum Source { case none, resolver, awaitedResolver, task }

  enum End {
    case none, cancelled, settled
    /// `abandoned`: freed while it was unresolved. `left`: freed while it followed a promise.
    case abandoned, left
  }

  /// A text in a box, because a reference takes only one word in `Side` and few promises have a name.
  final class Label: Sendable {
    let text: String
    init(_ text: String) { self.text = text }
  }
}

extension Promise {
  /// The side storage, made on first use. Called with the lock held.
  var sideFields: Side {
    if let side { return side }
    let made = Side()
    side = made
    return made
  }

  /// The promise's name. An empty text removes the name.
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
