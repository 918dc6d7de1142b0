// Promises that are cancelled when the object that owns them is freed.

/// Cancels its promises when it is freed. As a property of a view, a controller or a session it makes
/// promises end with that object.
///
///     final class Gallery {
///       private let bag = CancelBag()
///
///       func show() {
///         load().then { [weak self] image in self?.image = image }.cancelled(with: bag)
///       }
///     }
///
/// The owner holds the bag in a `let`, and nobody else holds it. The bag keeps no promise alive, and no
/// promise keeps the bag or its owner alive. May be used from any thread. (RxSwift's `DisposeBag` is the
/// idea.)
public final class CancelBag: Sendable {
  private struct Content {
    var members: [Int: WeakPromise] = [:]
    var next = 0
  }

  private let content = Guarded(Content())

  /// An empty bag.
  public init() {}

  /// Runs when the owner is freed. Cancels the promises that are still pending with `CancellationError()`,
  /// in the order in which they were added, on the stack that releases the bag.
  deinit {
    let members = content.with { $0.members }
    for (_, member) in members.sorted(by: { $0.key < $1.key }) { member.value?.cancelWithItsOwner() }
  }

  /// Remembers `promise` until it has settled or is freed.
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

  /// How many promises the bag would cancel now.
  package var count: Int { content.with { $0.members.count } }

  /// Observes a promise of the bag. Only the promise holds it, so it is freed when the promise has
  /// settled, or with the promise.
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
  /// A child that follows this promise, and is cancelled when `bag` is freed, that is, with the object that
  /// owns the bag. The bag keeps no promise alive, and no promise keeps the bag alive.
  ///
  /// When that happens, the owner does not want this promise any more: if nobody else wants it, it is
  /// cancelled as well, and with it the part of its chain that only it has wanted, so that the task is
  /// cancelled. Put this at the end of a chain: a promise below the child is cancelled together with the
  /// child only while the child is pending. When the child has settled, freeing the bag has no effect.
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
  /// The bag was freed: its owner wants neither this promise nor the one that it follows.
  fileprivate func cancelWithItsOwner() {
    let parent = lock.with { heldParent }
    let reason = CancellationError()
    guard cancel(reason), let parent else { return }
    let effects = Effects.begin()
    parent.withdraw(reason, effects)
    Driver.perform(effects)
  }
}
