// Promises that are cancelled when the object that owns them is freed.

/// Cancels its promises when it is freed. As a property of a view, a controller or a session, it ends
/// promises together with that object.
///
///     final class Gallery {
///       private let bag = CancelBag()
///
///       func show() {
///         load().then { [weak self] image in self?.image = image }.cancelled(with: bag)
///       }
///     }
///
/// The owner stores the bag in a `let`, as its only reference. The bag retains no promise, and no promise
/// retains the bag or its owner. May be used from any thread. (The idea is RxSwift's `DisposeBag`.)
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
  fileprivate func add(_ promise: Promise, _ turn: Turn) {
    let number = content.with { content in
      content.next += 1
      content.members[content.next] = WeakPromise(promise)
      return content.next
    }
    promise.observe(Membership(self, number), looks: false, turn)
  }

  private func remove(_ number: Int) {
    let removed = content.with { $0.members.removeValue(forKey: number) }
    withExtendedLifetime(removed) {}
  }

  /// The number of promises that the bag would cancel now.
  package var count: Int { content.with { $0.members.count } }

  /// Observes a promise of the bag. Only the promise retains it, so it is freed when the promise settles or
  /// is deallocated.
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
  /// A child that follows this promise, and is cancelled when `bag` is freed together with its owner. The
  /// bag retains no promise, and no promise retains the bag.
  ///
  /// The child then withdraws from this promise. Without other consumers this promise is cancelled, with
  /// the part of its chain that no other consumer uses, so its task is notified. Put this at the end of a
  /// chain: promises below the child are cancelled only while the child is pending. Once the child has
  /// settled, freeing the bag has no effect.
  @discardableResult
  public final func cancelled(with bag: CancelBag) -> Promise {
    let child = add(.none, on: nil)
    let turn = Turn.current
    bag.add(child, turn)
    turn.drain()
    return child
  }
}

extension Promise {
  /// The bag was freed: its owner withdraws from this promise and from the one that it follows.
  fileprivate func cancelWithItsOwner() {
    let reason = CancellationError()
    let turn = Turn.current
    lock.lock()
    let parent = heldParent
    // Before the cancel, which may run handlers: they find that something is left.
    let wait = parent.map { _ in leaveWait() }
    lock.unlock()
    let isFirst = cancel(reason)
    if isFirst, let parent {
      wait?.start(at: parent, if: parent.withdraw(reason, turn), turn)
    } else {
      wait?.end(turn)
    }
    turn.drain()
  }
}
