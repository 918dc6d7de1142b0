import Dispatch
import DynamicPromise

// (`PromiseKitNames` has one as well. To import it here would hand its members on to whoever imports this
// library, where `queue.async(.promise) { ... }` then makes an untyped promise.)

/// What the lanes of `when(fulfilled:concurrently:)` share. Used on its queue only.
final class Taking: @unchecked Sendable {
  /// Serial, so that it may stand before any queue.
  let queue = DispatchQueue(label: "PromiseKitTypes.when", target: conf.Q.map)
  private let take: () -> Untyped?
  /// A value for each promise that was taken, in their order.
  private(set) var found: [Any] = []

  init(_ take: @escaping () -> Untyped?) { self.take = take }

  /// The next promise, as one that notes its value; `nil` if there is none left.
  func next() -> Untyped? {
    guard let promise = take() else { return nil }
    let index = found.count
    found.append(())
    return promise.thenOn(queue) { (value: Any) in self.found[index] = value }
  }
}
