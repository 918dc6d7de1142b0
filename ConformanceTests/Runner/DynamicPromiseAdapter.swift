import DynamicPromise
import PromisesAPlusSuite

/// The adapter for DynamicPromise, on one execution context.
struct DynamicPromiseAdapter: PromiseAdapter {
  /// The way in which the context of handlers is chosen.
  enum Route: Sendable {
    /// `then`, on promises with this default context, or with the library's default context if it is `nil`.
    case tree((any ExecutionContext)?)
    /// `thenOn` with this context, on promises with the library's default context. With `Traffic`, a call on
    /// the main thread waits until calls on other threads have returned, so that timing does not determine
    /// whether a handler runs in place.
    case explicit(any ExecutionContext, Traffic? = nil)
    /// `thenOnMain`, with handlers isolated to the main actor.
    case onMain
  }

  let route: Route
  var handlerOrder = HandlerOrder.bodies

  /// Returns an adapter with the same route on `context`, or `nil` if the route has a fixed context.
  func on(_ context: SteppedContext) -> DynamicPromiseAdapter? {
    switch route {
    case .tree: DynamicPromiseAdapter(route: .tree(Stepping(context: context)))
    case .explicit(_, nil): DynamicPromiseAdapter(route: .explicit(Stepping(context: context)))
    case .onMain, .explicit: nil
    }
  }

  func pending() -> Deferred<Promise> {
    let promise = if case .tree(let context?) = route { Promise(on: context) } else { Promise() }
    return Deferred(
      promise: promise,
      resolve: { x in call { _ = promise.resolve(x) } },
      fulfill: { x in call { _ = promise.fulfill(x) } },
      reject: { x in call { _ = promise.reject(x) } })
  }

  /// Makes a call into the library.
  func call<R>(_ body: () -> R) -> R {
    if case .explicit(_, let traffic?) = route { traffic.call(body) } else { body() }
  }

  func then(_ promise: Promise, _ onFulfilled: Handler?, _ onRejected: Handler?) -> Promise {
    let onRejected = onRejected.map(Self.rejectionHandler)
    return switch route {
    case .tree: promise.then(onFulfilled, onRejected)
    case .explicit(let context, _): call { promise.thenOn(context, onFulfilled, onRejected) }
    case .onMain: promise.thenOnMain(onFulfilled, onRejected)
    }
  }

  func thenOnly(_ promise: Promise, _ onFulfilled: @escaping Handler) -> Promise {
    switch route {
    case .tree: promise.then(onFulfilled)
    case .explicit(let context, _): call { promise.thenOn(context, onFulfilled) }
    case .onMain: promise.thenOnMain(onFulfilled)
    }
  }

  func catchOnly(_ promise: Promise, _ onRejected: @escaping Handler) -> Promise {
    let onRejected = Self.rejectionHandler(onRejected)
    return switch route {
    case .tree: promise.catch(onRejected)
    case .explicit(let context, _): call { promise.catchOn(context, onRejected) }
    case .onMain: promise.catchOnMain(onRejected)
    }
  }

  func thenable(_ source: ThenableSource) -> Any {
    switch source.shape {
    case .object: ObjectThenable(source)
    case .value: ValueThenable(source: source)
    case .enumeration: EnumThenable.some(source)
    }
  }

  func reason(from received: Any) -> Any {
    if case PromiseError.rejected(let reason) = received { reason } else { received }
  }

  func error(for reason: Any) -> any Error {
    reason as? any Error ?? PromiseError.rejected(reason: reason)
  }

  func isCycleError(_ reason: Any) -> Bool {
    if case PromiseError.cycle = reason { true } else { false }
  }

  private static func rejectionHandler(_ handler: @escaping Handler) -> @Sendable (any Error) throws -> Any {
    { reason in try handler(reason) }
  }
}

// MARK: Thenables of the three kinds of Swift type

private protocol SourceThenable: Thenable {
  var source: ThenableSource { get }
}

extension SourceThenable {
  var then: ThenMethod? {
    get throws { try source.readThen().map { function in { try function($0, $1) } } }
  }
}

private final class ObjectThenable: SourceThenable {
  let source: ThenableSource

  init(_ source: ThenableSource) { self.source = source }
}

private struct ValueThenable: SourceThenable {
  let source: ThenableSource
}

private enum EnumThenable: SourceThenable {
  case some(ThenableSource)

  var source: ThenableSource {
    switch self {
    case .some(let source): source
    }
  }
}

/// Adapts a context of the suite to the library, for random programs.
private struct Stepping: ExecutionContext {
  let context: SteppedContext

  func execute(_ job: @escaping @Sendable () -> Void) { context.enqueue(job) }
}
