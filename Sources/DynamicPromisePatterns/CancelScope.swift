// One cancel for several promises.
//
// WHO HOLDS WHOM.   scope ─▶ the scope around it    scope ·▶ members, weakly
//
// A member of a scope is entered in all scopes around it as well: so it is reached though its own scope has
// gone.

import DynamicPromise

/// Cancels promises together that have no common root: those of a screen, of a request, of a user who logs
/// out.
///
///     let screen = CancelScope()
///     screen.add(loadUser()).thenOnMain { view.show($0) }
///     screen.add(loadFriends())
///     ...
///     screen.cancel()
///
/// To cancel a member is to cancel it with all that stands below it, and not to want what it waits for any
/// more: what nobody else wants above it is cancelled, too. So it makes no difference whether a function has
/// returned the root of its chain or the end. Who comes late is cancelled at once.
///
/// A scope holds no promise, and letting go of a scope cancels nobody. Every method may be called from any
/// thread. The idea of one request for several tasks is that of the cancellation tokens of FutureLib and
/// Bolts.
public final class CancelScope: @unchecked Sendable {
  /// Never changed before the scope goes.
  private var parent: CancelScope?
  private let members = Guarded(Members())

  /// A scope without members. Cancelling `parent`, if there is one, cancels it, and not the other way.
  public init(in parent: CancelScope? = nil) { self.parent = parent }

  // Scopes may be nested deeply: released by turns, not by depth.
  deinit {
    var next = parent.take()
    while isKnownUniquelyReferenced(&next) { next = next?.parent.take() }
  }

  /// Puts `member` into this scope and those around it. If one of them has been cancelled, it is cancelled at
  /// once, on this stack, with that reason.
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

  /// Cancels all members and those of the scopes in it, in the order in which they were added, on this stack:
  /// with `reason`, wrapped in `PromiseError.cancelled(reason:)` if it is not an `Error`. Those who are added
  /// later are cancelled as well. A second call does nothing.
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
    // Whoever follows the parent and is cancelled does not want it any more.
    let follower = member.parent.map { parent in
      let follower = Promise()
      follower.bind(parent)
      return follower
    }
    member.cancel(reason)
    follower?.cancel(reason)
  }
}

/// Guarded by the scope's lock.
private struct Members {
  private struct Reference {
    weak var future: Future?
  }

  private(set) var reason: (any Error)?
  private var references: [Reference] = []
  /// When it is time to look for those that have gone: so the list is as long as there are members, and
  /// adding one costs the same on average.
  private var limit = 16

  /// The reason of the cancel, if it is too late; and those who were looked at, to be let go of when the lock
  /// is free: one of them may be about to go.
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
