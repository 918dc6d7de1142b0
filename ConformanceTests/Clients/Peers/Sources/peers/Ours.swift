import DynamicPromise
import PromisesAPlusSuite

/// DynamicPromise on its default context, for comparison. The command `conformance` tests all contexts.
struct DynamicPromiseAdapter: PromiseAdapter {
  let handlerOrder: HandlerOrder
  private let context: any ExecutionContext

  init() {
    let log = SchedulingLog()
    context = Stamping(log: log)
    handlerOrder = .scheduling(log, reason: "siblings run in parallel")
  }

  func pending() -> Deferred<Promise> {
    let promise = Promise(on: context)
    return Deferred(
      promise: promise, resolve: { promise.resolve($0) }, fulfill: { promise.fulfill($0) },
      reject: { promise.reject($0) })
  }

  func then(_ promise: Promise, _ onFulfilled: Handler?, _ onRejected: Handler?) -> Promise {
    promise.then(onFulfilled, onRejected.map(Self.rejectionHandler))
  }

  private static func rejectionHandler(_ handler: @escaping Handler) -> @Sendable (any Error) throws -> Any {
    { reason in try handler(reason) }
  }

  var combinators: Combinators<Promise> {
    var ours = Combinators<Promise>()
    ours.all = { Promise.all($0) }
    ours.allSettled = { Promise.allSettled($0) }
    ours.any = { Promise.any($0) }
    ours.race = { Promise.race($0) }
    ours.finally = { $0.finally($1) }
    ours.resolve = { Promise.resolved($0) }
    ours.reject = { Promise.rejected($0) }
    ours.try = { callback in Promise { resolver in resolver.resolve(try callback()) } }
    ours.withResolvers = { pending() }
    ours.errors = { if case PromiseError.noneFulfilled(let reasons) = $0 { reasons } else { nil } }
    return ours
  }

  var cancellation: Cancellation<Promise> {
    var ours = Cancellation<Promise>()
    ours.down = { _ = $0.cancel() }
    ours.up = { _ = $0.withdraw() }
    ours.token = {
      let owner = BagOwner()
      return CancellationToken(
        tie: { $0.cancelled(with: owner.bag ?? CancelBag()) }, cancel: { owner.bag = nil })
    }
    return ours
  }

  func thenable(_ source: ThenableSource) -> Any { SuiteThenable(source: source) }

  func reason(from received: Any) -> Any {
    if case PromiseError.rejected(let reason) = received { reason } else { received }
  }

  func error(for reason: Any) -> any Error { reason as? any Error ?? PromiseError.rejected(reason: reason) }

  func isCycleError(_ reason: Any) -> Bool {
    if case PromiseError.cycle = reason { true } else { false }
  }
}

/// The library's default context, with a log of the order in which handlers are scheduled.
private struct Stamping: ExecutionContext {
  let log: SchedulingLog

  func execute(_ job: @escaping @Sendable () -> Void) { DefaultContext().execute(log.stamp(job)) }
}

private final class SuiteThenable: Thenable {
  let source: ThenableSource

  init(source: ThenableSource) { self.source = source }

  var then: ThenMethod? {
    get throws { try source.readThen().map { function in { try function($0, $1) } } }
  }
}

/// The owner of a bag. The release of the bag cancels its promises. The suite uses a token on one thread at a
/// time.
private final class BagOwner: @unchecked Sendable {
  var bag: CancelBag? = CancelBag()
}
