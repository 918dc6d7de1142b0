import Foundation

/// The function that a thenable's `then` is.
public typealias ThenFunction =
  @Sendable (
    _ resolvePromise: @escaping @Sendable (Any) -> Void,
    _ rejectPromise: @escaping @Sendable (Any) -> Void
  ) throws -> Void

/// The behavior of a thenable of the suite. The adapter wraps it in a type that its implementation
/// recognizes as a thenable. See ``PromiseAdapter/thenable(_:)``.
public final class ThenableSource: Sendable {
  /// What kind of Swift type the thenable should be. An adapter may ignore it. If it does not, the suite
  /// tests that the implementation recognizes all three.
  public enum Shape: String, Sendable, CaseIterable {
    /// An instance of a class.
    case object
    /// A struct.
    case value
    /// An enum with a payload.
    case enumeration
  }

  /// What kind of Swift type the thenable should be.
  public let shape: Shape

  private let getter: @Sendable () throws -> ThenFunction?
  private let lock = NSLock()
  nonisolated(unsafe) private var count = 0

  /// A thenable whose `then` is what `getter` returns or throws; `nil` if `then` is no function.
  public init(_ shape: Shape = .object, getter: @escaping @Sendable () throws -> ThenFunction?) {
    self.shape = shape
    self.getter = getter
  }

  /// The thenable's `then`, which is read at each call: a function, or `nil` if `then` is no function. May
  /// throw, as a getter may.
  public func readThen() throws -> ThenFunction? {
    lock.withLock { count += 1 }
    guard let then = try getter() else { return nil }
    return { resolve, reject in
      try then(
        { x in ThreadLocal.stackDepth.raised { resolve(export(x)) } },
        { reason in ThreadLocal.stackDepth.raised { reject(export(reason)) } })
    }
  }

  /// The number of reads of `then`.
  var reads: Int { lock.withLock { count } }
}
