import PromisesAPlusSuite

/// The adapter for the stand-in, healthy or with one defect.
struct StandInAdapter: PromiseAdapter {
  private(set) var world: StandInWorld
  private(set) var handlerOrder = HandlerOrder.bodies
  /// Whether the combinators accept an iterator that throws, which no Swift sequence has.
  var takesThrowingIterators = true

  init(_ defect: Defect? = nil) { world = StandInWorld(defect) }

  /// Creates a stand-in whose handlers may overlap.
  init(overlapping defect: Defect?, reason: String) {
    let log = SchedulingLog()
    world = StandInWorld(defect, log: log)
    handlerOrder = .scheduling(log, reason: reason)
  }

  func on(_ context: SteppedContext) -> StandInAdapter? {
    var copy = self
    copy.world = StandInWorld(world, on: context)
    return copy
  }

  func pending() -> Deferred<StandIn> {
    let promise = StandIn(world)
    return Deferred(
      promise: promise,
      resolve: { promise.resolve($0) },
      fulfill: { promise.fulfill($0) },
      reject: { promise.reject($0) })
  }

  func then(_ promise: StandIn, _ onFulfilled: Handler?, _ onRejected: Handler?) -> StandIn {
    promise.then(onFulfilled, onRejected)
  }

  func thenable(_ source: ThenableSource) -> Any {
    switch source.shape {
    case .object: ObjectThenable(source)
    case .value: ValueThenable(source: source)
    case .enumeration: EnumThenable.some(source)
    }
  }

  func isCycleError(_ reason: Any) -> Bool {
    reason is StandIn.Cycle
  }

  var combinators: Combinators<StandIn> {
    var all = StandInCombinators(world: world).all
    if !takesThrowingIterators { all.throwingIterator = nil }
    return all
  }

  var cancellation: Cancellation<StandIn> {
    var mine = Cancellation<StandIn>()
    mine.down = { $0.cancel() }
    mine.up = { $0.giveUp() }
    mine.token = { [world] in
      let token = StandInToken(world)
      return CancellationToken(tie: { token.tie($0) }, cancel: { token.cancel() })
    }
    return mine
  }

  var quiesce: (@Sendable () -> Void)? {
    { [world] in world.quiesce() }
  }
}

private protocol SourceThenable: StandInThenable {
  var source: ThenableSource { get }
}

extension SourceThenable {
  var then: StandInThenMethod? {
    get throws { try source.readThen() }
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
