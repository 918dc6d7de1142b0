/// An object that reports its `deinit`.
public final class Canary: Sendable {
  private let onDeath: @Sendable () -> Void

  /// A new object, which calls `onDeath` in its `deinit`.
  public init(_ onDeath: @escaping @Sendable () -> Void) { self.onDeath = onDeath }

  deinit { onDeath() }
}
