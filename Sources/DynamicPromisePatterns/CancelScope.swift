// One cancel for several promises.
//
// OWNERSHIP. A scope retains the scope around it, and refers to its members weakly.
//
// A member is also added to all outer scopes, so that their cancels reach the member even after the inner
// scope was freed.

import DynamicPromise

/// Cancels several promises that have no common root, such as all promises of a screen, a request or a user
/// session.
///
///     let screen = CancelScope()
///     screen.add(loadUser()).thenOnMain { view.show($0) }
///     screen.add(loadFriends())
///     ...
///     screen.cancel()
///
/// `add` accepts the root or the end of a chain. Cancelling a member cancels all promises below it, and
/// withdraws from the promises above it; of these, promises without other consumers are cancelled too. A
/// promise that is added after the cancel is cancelled at once.
///
/// A scope retains no promise, and releasing a scope cancels nothing. Every method may be called from any
/// thread. The idea of one request that cancels several tasks is from the cancellation tokens of FutureLib
/// and Bolts.
public final class CancelScope: @unchecked Sendable {
  /// Changed in `deinit` only.
  private var parent: CancelScope?
  private let members = Guarded(Members())

  /// A scope without members. Cancelling `parent` also cancels this scope, but not the reverse.
  public init(in parent: CancelScope? = nil) { self.parent = parent }

  // Releases outer scopes in a loop, not recursively, because scopes may be nested deeply.
  deinit {
    var next = parent.take()
    while isKnownUniquelyReferenced(&next) { next = next?.parent.take() }
  }

  /// Adds `member` to this scope and to all scopes around it. If one of these scopes has been cancelled,
  /// `member` is cancelled at once, on this stack, with the same reason.
  ///
  /// - Returns: The member.
  @discardableResult
  public func add<Member: Promise>(_ member: Member) -> Member {
    var reason: (any Error)?
    for scope in scopes { reason = reason ?? scope.members.with { $0.add(member) }.reason }
    if let reason { Self.cancel(member, reason) }
    return member
  }

  /// Cancels all members, including those of nested scopes, on this stack, in the order in which they were
  /// added. A `reason` that is not an `Error` is wrapped in `PromiseError.cancelled(reason:)`. Promises that
  /// are added later are also cancelled. A second call has no effect.
  public func cancel(_ reason: Any = CancellationError()) {
    let reason = reason as? any Error ?? PromiseError.cancelled(reason: reason)
    for member in members.with({ $0.cancel(reason) }) { Self.cancel(member, reason) }
  }

  /// Whether this scope, or a scope around it, has been cancelled.
  public var isCancelled: Bool { scopes.contains { $0.members.with { $0.reason != nil } } }

  /// This scope and all scopes around it.
  private var scopes: some Sequence<CancelScope> { sequence(first: self, next: \.parent) }

  private static func cancel(_ member: Promise, _ reason: any Error) {
    // A settled member has nothing to withdraw from. For a pending member, a follower of the parent is
    // cancelled, and thereby withdraws from the parent.
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
    weak var promise: Promise?
  }

  private(set) var reason: (any Error)?
  private var references: [Reference] = []
  /// The references to freed members are removed when the list is longer than this, so that `add` takes
  /// constant time on average.
  private var limit = 16

  /// Returns the reason of the cancel, if any, and the visited members. The caller releases the members
  /// without the lock, because these references may be the last.
  mutating func add(_ member: Promise) -> (reason: (any Error)?, seen: [Promise]) {
    guard reason == nil else { return (reason, []) }
    references.append(Reference(promise: member))
    guard references.count > limit else { return (nil, []) }
    let seen = references.compactMap(\.promise)
    references = seen.map { Reference(promise: $0) }
    limit = max(16, references.count * 2)
    return (nil, seen)
  }

  mutating func cancel(_ reason: any Error) -> [Promise] {
    guard self.reason == nil else { return [] }
    self.reason = reason
    defer { references = [] }
    return references.compactMap(\.promise)
  }
}
