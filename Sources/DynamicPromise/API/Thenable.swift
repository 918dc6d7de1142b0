/// The method of a ``Thenable``: called with one function to resolve and one to reject the promise that
/// adopts it. The first call of either wins, from whatever thread; later calls, and an error thrown after
/// one, are ignored.
///
/// A method that calls neither leaves the promise pending as long as somebody holds one of the two functions;
/// when both are gone uncalled, the promise is rejected with ``PromiseError/broken``. A cancelled promise
/// ignores what comes.
public typealias ThenMethod = (
  _ resolvePromise: @escaping @Sendable (Any) -> Void,
  _ rejectPromise: @escaping @Sendable (Any) -> Void
) throws -> Void

/// Something that is not a ``Promise`` but behaves like one: a promise resolved with a thenable takes over
/// its outcome (Promises/A+ 2.3.3).
///
/// Getter and method run on the stack of whoever resolves, with nothing locked. The getter is read exactly
/// once; if it throws, the promise is rejected with that error; if it returns `nil`, the promise is fulfilled
/// with the object itself.
public protocol Thenable {
  /// The `then` method, or `nil` if this value has none.
  var then: ThenMethod? { get throws }
}
