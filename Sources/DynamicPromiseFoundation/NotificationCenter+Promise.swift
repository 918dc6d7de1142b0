import DynamicPromise
import Foundation

extension NotificationCenter {
  /// A promise for the next notification with this name; the value is the `Notification`.
  ///
  /// The observer is removed when the promise has settled or is abandoned. The promise does not retain the
  /// center. When the center is freed, the promise is rejected with `PromiseError.broken`.
  ///
  /// - Parameters:
  ///   - name: The notification's name.
  ///   - object: The notification's sender; `nil` for any. Not retained. Keep the object as long as the
  ///     promise waits, because the center compares addresses, and a new object may have the address of a
  ///     freed one.
  ///   - isWanted: Whether to accept a notification. Called on the posting thread, for each notification
  ///     until the closure returns `true`.
  ///   - context: The default context of the promise and its descendants.
  ///   - fileID: The file of the call, for the promise's origin.
  ///   - line: The line of the call.
  public func notificationPromise(
    for name: Notification.Name, object: AnyObject? = nil, on context: (any ExecutionContext)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    where isWanted: @escaping @Sendable (Notification) -> Bool = { _ in true }
  ) -> Promise {
    let (promise, resolver) = Promise.pending(on: context, fileID: fileID, line: line)
    let observer = Observer(self)
    observer.set(
      addObserver(forName: name, object: object, queue: nil) { notification in
        guard !observer.hasEnded, isWanted(notification) else { return }
        observer.end()
        resolver.fulfill(notification)
      })
    resolver.onTermination { _ in observer.end() }
    return promise
  }

  /// An observer that is removed once, even if `end` is called before the center has returned the token.
  private final class Observer: @unchecked Sendable {
    private struct State {
      weak var center: NotificationCenter?
      // Weak where the center retains the token, and the token retains the block, which retains the resolver:
      // on Apple systems, and elsewhere before Swift 6.2. In other cases, only this property retains the
      // token.
      #if canImport(ObjectiveC) || compiler(<6.2)
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
