/// Storage for the fields that few promises use: observers, hooks, names. Guarded by the tree's lock.
final class Side: @unchecked Sendable {
  /// What weak references share.
  @exclusivity(unchecked) fileprivate var presence: WeakPromise.Presence?
  /// Observers wait for the outcome, but are not children.
  @exclusivity(unchecked) var observers = ObserverList()
  /// Whether a consumer has withdrawn. A cancel that this causes counts as observed.
  @exclusivity(unchecked) var hasWithdrawnConsumer = false
  /// Called once if the promise is cancelled, released if it settles otherwise.
  @exclusivity(unchecked) var cancelHooks: [@Sendable (any Error) -> Void] = []
  /// Called once if the promise is freed unresolved, released if it is resolved.
  @exclusivity(unchecked) var abandonHooks: [@Sendable () -> Void] = []
  /// Children whose handlers run in place after those of the turn that runs such handlers now. Each has the
  /// hold of its job.
  @exclusivity(unchecked) var late: Late?
  /// Why the promise is unwanted.
  @exclusivity(unchecked) var reason: (any Error)?
  /// The promise's name, which `DynamicPromiseDiagnostics` sets.
  @exclusivity(unchecked) var label: Label?
  #if DEBUG
    /// For a rejected promise: the nearest known ancestor with a name or an origin (`Landmark.swift`).
    @exclusivity(unchecked) var above: Promise.Landmark?
  #endif
  /// The unfinished work of a settled promise (`Finishing.swift`).
  @exclusivity(unchecked) var unfinished: UnfinishedWork?
  /// A promise above without which this promise is not finished (`FinishedWait.swift`): that at which its
  /// cancel began, or the extra child of an unfinished promise. This promise has a hold on it.
  @exclusivity(unchecked) private(set) var workAbove: Core?

  @inline(__always) var hasWork: Bool { unfinished != nil || workAbove != nil }

  func setWorkAbove(_ work: Core?, _ turn: Turn) {
    work?.hold()
    let former = workAbove
    workAbove = work
    former?.drop(turn)
  }

  /// Called when the promise is freed.
  func forgetCore() { presence?.core = nil }

  /// A queue in a box, because few promises have one.
  final class Late { @exclusivity(unchecked) var handlers = FIFO<Core>() }

  /// A text in a box, because a reference takes only one word in `Side` and few promises have a name.
  final class Label: Sendable {
    let text: String
    init(_ text: String) { self.text = text }
  }
}

extension Core {
  /// The side storage, made on first use. Called with the lock held.
  var sideFields: Side {
    if let side { return side }
    let made = Side()
    side = made
    return made
  }

  fileprivate var presence: WeakPromise.Presence {
    let side = sideFields
    if let presence = side.presence { return presence }
    let made = WeakPromise.Presence(self)
    side.presence = made
    return made
  }
}

/// A reference that does not keep the promise alive. (A weak reference to the object would end with that
/// object, which its promise may outlive.)
package struct WeakPromise: Sendable {
  /// The promise, until it is freed. Guarded by the tree's lock.
  final class Presence: @unchecked Sendable {
    @exclusivity(unchecked) fileprivate(set) var core: Core?
    fileprivate init(_ core: Core?) { self.core = core }
  }

  private let presence: Presence
  let lock: TreeLock

  package init(_ promise: Promise) { self.init(promise.core, promise.core.lock) }

  init(_ core: Core, _ lock: TreeLock) {
    self.lock = lock
    presence = lock.with { core.presence }
  }

  /// The promise, unless it was freed.
  package var value: Promise? { lock.with { core?.promise() } }

  /// The promise's core, while the lock is held.
  var core: Core? { presence.core }
}

extension Promise {
  /// The promise's name. An empty text removes the name.
  package var label: String? {
    get { core.lock.with { core.side?.label }?.text }
    set {
      let new = newValue.flatMap { $0.isEmpty ? nil : Side.Label($0) }
      let former = core.lock.with { () -> Side.Label? in
        if new == nil, !core.hasSide { return nil }
        defer { core.sideFields.label = new }
        return core.side?.label
      }
      withExtendedLifetime(former) {}
    }
  }
}
