/// The method of a ``Thenable``. It is called with two functions: one resolves and one rejects the promise
/// that adopts the thenable. The first call of either wins, on whatever thread; later calls are ignored, and
/// so is an error that the method throws after a call.
///
/// If the method calls neither, the promise stays pending as long as somebody holds one of the two functions;
/// when both are gone uncalled, it is rejected with ``PromiseError/broken``. Calls after the promise was
/// cancelled are ignored.
public typealias ThenMethod = (
  _ resolvePromise: @escaping @Sendable (Any) -> Void,
  _ rejectPromise: @escaping @Sendable (Any) -> Void
) throws -> Void

/// Something that is not a ``Promise`` but behaves like one: a promise resolved with a thenable takes over
/// its outcome (Promises/A+ 2.3.3).
///
/// Getter and method run on the stack of whoever resolves, with nothing locked. The getter is read exactly
/// once. If it throws, the promise is rejected with that error; if it returns `nil`, the promise is fulfilled
/// with the object itself.
public protocol Thenable {
  /// The `then` method, or `nil` if this value has none.
  var then: ThenMethod? { get throws }
}
