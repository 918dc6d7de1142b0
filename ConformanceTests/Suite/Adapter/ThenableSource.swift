/// The type of a thenable's `then` function.
public typealias ThenFunction =
  @Sendable (
    _ resolvePromise: @escaping @Sendable (Any) -> Void,
    _ rejectPromise: @escaping @Sendable (Any) -> Void
  ) throws -> Void

/// The behavior of a thenable of the suite. The adapter wraps the source in a type that its implementation
/// recognizes as a thenable; see ``PromiseAdapter/thenable(_:)``.
public final class ThenableSource: Sendable {
  /// The kind of Swift type that the thenable should have. If the adapter uses the shape, the suite tests
  /// whether the implementation recognizes all three kinds. An adapter may ignore the shape.
  public enum Shape: String, Sendable, CaseIterable {
    /// An instance of a class.
    case object
    /// A struct.
    case value
    /// An enum with a payload.
    case enumeration
  }

  /// The kind of Swift type that the thenable should have.
  public let shape: Shape

  private let getter: @Sendable () throws -> ThenFunction?
  private let count = Locked(0)

  /// Creates a thenable whose `then` is the result of `getter`. `nil` means that `then` is not a function.
  public init(_ shape: Shape = .object, getter: @escaping @Sendable () throws -> ThenFunction?) {
    self.shape = shape
    self.getter = getter
  }

  /// Reads the thenable's `then`: a function, or `nil` if `then` is not a function. Each call runs the getter
  /// again, which may throw.
  public func readThen() throws -> ThenFunction? {
    count.withLock { $0 += 1 }
    guard let then = try getter() else { return nil }
    return { resolve, reject in
      try then(
        { x in ThreadLocal.stackDepth.raised { resolve(export(x)) } },
        { reason in ThreadLocal.stackDepth.raised { reject(export(reason)) } })
    }
  }

  /// The number of times that `then` was read.
  var reads: Int { count.value }
}
