// A bag that cancels its promises when it is freed.

/// Cancels its promises when the bag is freed. Store a bag in a view, a controller or a session: when that
/// object is freed, its promises are cancelled.
///
///     final class Gallery {
///       private let bag = CancelBag()
///
///       func show() {
///         load().then { [weak self] image in self?.image = image }.cancelled(with: bag)
///       }
///     }
///
/// The owner's `let` should be the only reference to the bag. The bag retains no promise, and no promise
/// retains the bag. A bag may be used from any thread. (The idea is RxSwift's `DisposeBag`.)
public final class CancelBag: Sendable {
  private struct Content {
    var members: [Int: WeakPromise] = [:]
    var next = 0
  }

  private let content = Guarded(Content())

  /// An empty bag.
  public init() {}

  /// Cancels the promises that are still pending, with `CancellationError()` and in the order in which they
  /// were added. The `deinit` runs on the stack that releases the bag.
  deinit {
    let members = content.with { $0.members }
    for (_, member) in members.sorted(by: { $0.key < $1.key }) { member.value?.cancelWithItsOwner() }
  }

  /// Stores `promise` weakly, until the promise settles or is freed.
  fileprivate func add(_ promise: Promise, _ turn: Turn) {
    let number = content.with { content in
      content.next += 1
      content.members[content.next] = WeakPromise(promise)
      return content.next
    }
    promise.observe(Membership(self, number), turn)
  }

  private func remove(_ number: Int) {
    let removed = content.with { $0.members.removeValue(forKey: number) }
    withExtendedLifetime(removed) {}
  }

  /// The number of promises that the bag would cancel now.
  package var count: Int { content.with { $0.members.count } }

  /// Removes a promise from the bag when the promise settles or is freed. Only the promise retains this
  /// observer, whose `deinit` removes the promise.
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

extension Promise {
  /// A child that follows this promise and is cancelled when `bag` is freed. The bag retains no promise, and
  /// no promise retains the bag.
  ///
  /// The cancelled child withdraws from this promise. If this promise has no other consumer, it is cancelled,
  /// and so are the promises above it that no other consumer uses. If the root is among these promises, its
  /// task is notified. Call this method at the end of a chain. Once the child has settled, freeing the bag
  /// has no effect, even if promises below the child are pending.
  @discardableResult
  public func cancelled(with bag: CancelBag) -> Promise {
    let child = add(.none, on: nil)
    let turn = Turn.current
    bag.add(child, turn)
    turn.drain()
    return child
  }
}

extension Promise {
  /// Called when the bag is freed: cancels this promise, and withdraws from its parent.
  fileprivate func cancelWithItsOwner() {
    let reason = CancellationError()
    let turn = Turn.current
    let parent = core.lock.with {
      if let parent = core.heldParent { core.sideFields.setWorkAbove(parent, turn) }
      return core.heldParent?.promise()
    }
    if cancel(reason), let parent, !parent.core.withdraw(reason, turn) {
      // The parent continues for other consumers.
      core.lock.with { core.side?.setWorkAbove(nil, turn) }
    }
    turn.drain()
  }
}
