// What goes with its owner.

/// Cancels what is in it when it goes: a property of a view, a controller, a session, whose promises end with
/// it.
///
///     final class Gallery {
///       private let bag = CancelBag()
///
///       func show() {
///         load().then { [weak self] image in self?.image = image }.cancelled(with: bag)
///       }
///     }
///
/// The owner has the bag, as a `let`, and nobody else. The bag keeps no promise, and no promise keeps the bag
/// or its owner. May be used from any thread. (RxSwift's `DisposeBag` is the idea.)
public final class CancelBag: Sendable {
  private struct Content {
    var members: [Int: WeakPromise] = [:]
    var next = 0
  }

  private let content = Guarded(Content())

  /// An empty bag.
  public init() {}

  /// The owner has gone. Cancels the promises that are still pending, in the order in which they came, on the
  /// stack that lets go of the bag, with `CancellationError()`.
  deinit {
    let members = content.with { $0.members }
    for (_, member) in members.sorted(by: { $0.key < $1.key }) { member.value?.cancelWithItsOwner() }
  }

  /// Remembers `promise` until it has settled or gone.
  fileprivate func add(_ promise: Promise, _ effects: Effects) {
    let number = content.with { content in
      content.next += 1
      content.members[content.next] = WeakPromise(promise)
      return content.next
    }
    promise.observe(Membership(self, number), looks: false, effects)
  }

  private func remove(_ number: Int) {
    let removed = content.with { $0.members.removeValue(forKey: number) }
    withExtendedLifetime(removed) {}
  }

  /// How many promises the bag would have to cancel.
  package var count: Int { content.with { $0.members.count } }

  /// Stands among the observers of a member. Nobody else keeps it, so it goes when the promise has settled as
  /// well as when the promise goes.
  private final class Membership: CompletionObserver {
    private weak var bag: CancelBag?
    private let number: Int

    init(_ bag: CancelBag, _ number: Int) {
      self.bag = bag
      self.number = number
      super.init()
    }

    deinit { bag?.remove(number) }
  }
}

extension Future {
  /// A child that follows this promise, and is cancelled when `bag` goes, that is with the object whose
  /// property the bag is. Nobody is kept by it: neither the promise by the bag nor the bag by the promise.
  ///
  /// This promise is then not wanted by the owner any more: without other consumers it is cancelled as well,
  /// from as far up its chain as nobody else wants it, so that the task hears. Put it at the end of a chain:
  /// what stands below the child is cancelled with it as long as that is pending, and once it has settled the
  /// owner is of no consequence.
  @discardableResult
  public final func cancelled(with bag: CancelBag) -> Promise {
    let child = add(.none, on: nil)
    let effects = Effects.begin()
    bag.add(child, effects)
    Driver.perform(effects)
    return child
  }
}

extension Promise {
  /// The owner has gone, and wants neither this promise nor what it follows.
  fileprivate func cancelWithItsOwner() {
    let parent = lock.with { heldParent }
    let reason = CancellationError()
    guard cancel(reason), let parent else { return }
    let effects = Effects.begin()
    parent.withdraw(reason, effects)
    Driver.perform(effects)
  }
}
