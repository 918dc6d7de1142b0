// A bag that cancels its promises together, or when it is freed.

/// Cancels its promises together: when you call ``cancel(_:)``, and when the bag is freed. Store a bag in a
/// view, a controller or a session: when that object is freed, its promises are cancelled.
///
///     final class Gallery {
///       private let bag = CancelBag()
///
///       func show() {
///         load().then { [weak self] image in self?.image = image }.cancelled(with: bag)
///       }
///
///       func hide() { bag.cancel() }
///     }
///
/// The owner should be the only one to retain the bag. The bag retains no promise, and no promise retains the
/// bag.
public final class CancelBag: Sendable {
  private struct Content {
    var members: [Int: Member] = [:]
    var next = 0
  }

  private enum Member {
    case promise(WeakPromise)
    case bag(WeakBag)
  }

  private final class WeakBag: @unchecked Sendable {
    private(set) weak var value: CancelBag?
    init(_ bag: CancelBag) { value = bag }
  }

  private let content = Guarded(Content())
  /// The bag that this bag is in, and this bag's number there.
  private let place: (outer: WeakBag, number: Int)?

  /// An empty bag. When `outer` cancels, this bag cancels too. Neither bag retains the other.
  public init(in outer: CancelBag? = nil) {
    place = outer.map { (WeakBag($0), $0.nextNumber()) }
    if let outer, let place { outer.insert(.bag(WeakBag(self)), place.number) }
  }

  /// Cancels like ``cancel(_:)``, on the stack that releases the bag.
  deinit {
    cancel()
    if let place { place.outer.value?.remove(place.number) }
  }

  /// Cancels the promises that are still pending, and the bags in this bag, in the order in which they were
  /// added. A `reason` that is not an `Error` is wrapped in ``PromiseError/cancelled(reason:)``. The bag can
  /// be used again: a promise that is added later is not cancelled by this call.
  public func cancel(_ reason: Any = CancellationError()) {
    let reason = PromiseError.asCancellation(reason)
    var (open, found) = (members, [WeakPromise]())
    while let member = open.popLast() {
      switch member {
      case .promise(let promise): found.append(promise)
      case .bag(let bag): open += bag.value?.members ?? []
      }
    }
    // Found before, because a hook may add promises. Each leaves the bag when it settles.
    for promise in found { promise.value?.cancel(withItsOwner: reason) }
  }

  /// The newest first.
  private var members: [Member] {
    content.with { content in content.members.sorted { $0.key > $1.key }.map(\.value) }
  }

  /// Adds a child of `promise`, like ``Promise/cancelled(with:)``, and returns it.
  @discardableResult
  public func add(_ promise: Promise) -> Promise {
    let child = promise.add(.none, on: nil)
    let turn = Turn.current
    let number = nextNumber()
    insert(.promise(WeakPromise(child)), number)
    child.observe(Membership(self, number), turn)
    turn.drain()
    return child
  }

  private func nextNumber() -> Int {
    content.with { content in
      content.next += 1
      return content.next
    }
  }

  private func insert(_ member: Member, _ number: Int) { content.with { $0.members[number] = member } }

  private func remove(_ number: Int) {
    let removed = content.with { $0.members.removeValue(forKey: number) }
    withExtendedLifetime(removed) {}
  }

  /// The number of promises and bags that the bag would cancel now.
  package var count: Int { content.with { $0.members.count } }

  /// Removes a promise from the bag when the promise settles or is freed. Only the promise retains it.
  private final class Membership: Observer {
    private weak var bag: CancelBag?
    private let number: Int

    init(_ bag: CancelBag, _ number: Int) {
      self.bag = bag
      self.number = number
      super.init(isConsumer: false)
    }

    deinit { bag?.remove(number) }
  }
}

extension Promise {
  /// A child that follows this promise, and is cancelled when `bag` cancels or is freed. Call this method at
  /// the end of a chain. The bag retains no promise, and no promise retains the bag.
  ///
  /// The cancelled child withdraws from this promise. If this promise has no other consumer, it is cancelled,
  /// and so are the promises above it that no other consumer uses. Once the child has settled, the bag has no
  /// effect, even if promises below the child are pending.
  @discardableResult
  public func cancelled(with bag: CancelBag) -> Promise { bag.add(self) }

  /// Cancels this promise if it is pending, and withdraws from its parent.
  fileprivate func cancel(withItsOwner reason: any Error) {
    let turn = Turn.current
    core.lock.with {
      guard let parent = core.heldParent else { return }
      parent.hold()
      core.cancelPending(reason, hasWithdrawn: true, turn)
      parent.changeDemand(unwanted: reason, turn)
      if parent.isUnneeded { core.sideFields.setWorkAbove(parent, turn) }
      parent.drop(turn)
    }
    turn.drain()
  }
}
