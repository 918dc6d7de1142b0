// One cancel for several promises.
//
// WHO RETAINS WHOM. scope ─▶ the scope around it; scope ·▶ members, weakly.
//
// A member of a scope is added to all scopes around it as well. So a cancel of those reaches the member
// even after its own scope was freed.

import DynamicPromise

/// Cancels promises without a common root together: those of a screen, of a request, of a user who logs
/// out.
///
///     let screen = CancelScope()
///     screen.add(loadUser()).thenOnMain { view.show($0) }
///     screen.add(loadFriends())
///     ...
///     screen.cancel()
///
/// Cancelling a member cancels all promises below it, and withdraws from what it waits for: promises above
/// it without other consumers are cancelled too. So a function may return the root of its chain or the end.
/// A promise that is added after the cancel is cancelled at once.
///
/// A scope retains no promise, and releasing a scope cancels nothing. Every method may be called from any
/// thread. Cancelling several tasks by one request is the idea of the cancellation tokens of FutureLib and
/// Bolts.
public final class CancelScope: @unchecked Sendable {
  /// Changed in `deinit` only.
  private var parent: CancelScope?
  private let members = Guarded(Members())

  /// A scope without members. If `parent` is cancelled, so is this scope, but not the reverse.
  public init(in parent: CancelScope? = nil) { self.parent = parent }

  // Scopes may be nested deeply, so they are released in a loop, not recursively.
  deinit {
    var next = parent.take()
    while isKnownUniquelyReferenced(&next) { next = next?.parent.take() }
  }

  /// Adds `member` to this scope and to those around it. If one of them has been cancelled, `member` is
  /// cancelled at once, on this stack, with the same reason.
  ///
  /// - Returns: The member.
  @discardableResult
  public func add<Member: Future>(_ member: Member) -> Member {
    var reason: (any Error)?
    var scope: CancelScope? = self
    while let current = scope {
      reason = reason ?? current.members.with { $0.add(member) }.reason
      scope = current.parent
    }
    if let reason { Self.cancel(member, reason) }
    return member
  }

  /// Cancels all members, those of nested scopes included, in the order in which they were added, on this
  /// stack: with `reason`, wrapped in `PromiseError.cancelled(reason:)` if it is not an `Error`. Promises
  /// that are added later are cancelled as well. A second call has no effect.
  public func cancel(_ reason: Any = CancellationError()) {
    let reason = reason as? any Error ?? PromiseError.cancelled(reason: reason)
    for member in members.with({ $0.cancel(reason) }) { Self.cancel(member, reason) }
  }

  /// Whether this scope, or one around it, has been cancelled.
  public var isCancelled: Bool {
    var scope: CancelScope? = self
    while let current = scope {
      if current.members.with({ $0.reason != nil }) { return true }
      scope = current.parent
    }
    return false
  }

  private static func cancel(_ member: Future, _ reason: any Error) {
    // A cancelled follower of the parent withdraws from it. A settled member waits for nothing.
    guard member.isPending, let parent = member.parent else {
      member.cancel(reason)
      return
    }
    let follower = Promise().ignoreErrors()
    follower.bind(parent)
    member.cancel(reason)
    follower.cancel(reason)
  }
}

/// Guarded by the scope's lock.
private struct Members {
  private struct Reference {
    weak var future: Future?
  }

  private(set) var reason: (any Error)?
  private var references: [Reference] = []
  /// At this number of members, freed ones are removed. So the list is at most twice as long as needed, and
  /// adding a member has constant cost on average.
  private var limit = 16

  /// The reason of the cancel, if there was one, and the visited members. The caller releases them without
  /// the lock, because these may be the last references.
  mutating func add(_ member: Future) -> (reason: (any Error)?, seen: [Future]) {
    guard reason == nil else { return (reason, []) }
    references.append(Reference(future: member))
    guard references.count > limit else { return (nil, []) }
    let seen = references.compactMap(\.future)
    references = seen.map { Reference(future: $0) }
    limit = max(16, references.count * 2)
    return (nil, seen)
  }

  mutating func cancel(_ reason: any Error) -> [Future] {
    guard self.reason == nil else { return [] }
    self.reason = reason
    defer { references = [] }
    return references.compactMap(\.future)
  }
}
