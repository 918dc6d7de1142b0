import DynamicPromise
import Foundation

extension NotificationCenter {
  /// A promise for the next notification with this name; the value is the `Notification`.
  ///
  /// Cancelling the promise removes the observer; so does letting it go with nobody waiting. The promise
  /// does not keep the centre: when that goes away, nothing can come any more, and the promise is rejected
  /// with `PromiseError.broken`.
  ///
  /// - Parameters:
  ///   - name: What to wait for.
  ///   - object: Whose notifications; `nil` for anybody's. Not kept.
  ///   - isWanted: Whether this is the one; asked on the thread that posts, until it has said so.
  ///   - context: The default context of the promise and its descendants.
  public func notificationPromise(
    for name: Notification.Name, object: AnyObject? = nil, on context: (any ExecutionContext)? = .inherited,
    where isWanted: @escaping @Sendable (Notification) -> Bool = { _ in true }
  ) -> Promise {
    let (promise, resolver) = Promise.pending(on: context)
    let observer = Observer(self)
    observer.set(
      addObserver(forName: name, object: object, queue: nil) { notification in
        guard !observer.hasEnded, isWanted(notification) else { return }
        observer.end()
        resolver.fulfill(notification)
      })
    resolver.onCancel { _ in observer.end() }
    resolver.onAbandon { observer.end() }
    return promise
  }

  /// An observer that is removed once, be it before the centre has said by what name.
  private final class Observer: @unchecked Sendable {
    private struct State {
      weak var center: NotificationCenter?
      // On Apple systems the centre keeps it, and it keeps the block, which keeps the resolver; elsewhere it
      // is no more than a name, which nobody else keeps.
      #if canImport(ObjectiveC)
        weak var token: (any NSObjectProtocol)?
      #else
        var token: (any NSObjectProtocol)?
      #endif
      var hasEnded = false
    }

    private let state: Locked<State>

    init(_ center: NotificationCenter) { state = Locked(State(center: center)) }

    var hasEnded: Bool { state.with { $0.hasEnded } }

    func set(_ token: any NSObjectProtocol) {
      let hasEnded = state.with { state in
        state.token = token
        return state.hasEnded
      }
      if hasEnded { end() }
    }

    func end() {
      let (center, token) = state.with { state in
        state.hasEnded = true
        defer { state.token = nil }
        return (state.center, state.token)
      }
      if let token { center?.removeObserver(token) }
    }
  }
}
