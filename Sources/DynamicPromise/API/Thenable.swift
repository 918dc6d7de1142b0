/// The method of a ``Thenable``. It receives two functions, which resolve and reject the promise that follows
/// the thenable. The first call of either wins, on any thread; later calls are ignored, and so is an error
/// that the method throws after a call. If both functions are released uncalled, the promise is rejected with
/// ``PromiseError/broken``.
public typealias ThenMethod = (
  _ resolvePromise: @escaping @Sendable (Any) -> Void,
  _ rejectPromise: @escaping @Sendable (Any) -> Void
) throws -> Void

/// A value that is not a ``Promise`` but behaves like one. A promise that is resolved with a thenable settles
/// with the thenable's outcome (Promises/A+ 2.3.3).
///
/// The getter and the method run on the resolving stack, without a lock. The getter is read exactly once. If
/// the getter throws, the promise is rejected with that error; `nil` fulfills with the object.
public protocol Thenable {
  /// The `then` method, or `nil` if this value has none.
  var then: ThenMethod? { get throws }
}
