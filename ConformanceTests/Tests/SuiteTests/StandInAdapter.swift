import PromisesAPlusSuite

/// The adapter for the stand-in, healthy or with one defect.
struct StandInAdapter: PromiseAdapter {
  private(set) var world: StandInWorld
  private(set) var handlerOrder = HandlerOrder.bodies

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

  func isCycleError(_ reason: Any) -> Bool { reason is StandIn.Cycle }

  var quiesce: (@Sendable () -> Void)? { { [world] in world.quiesce() } }
}

private protocol SourceThenable: StandInThenable { var source: ThenableSource { get } }

extension SourceThenable {
  var then: StandInThenMethod? { get throws { try source.readThen() } }
}

private final class ObjectThenable: SourceThenable {
  let source: ThenableSource

  init(_ source: ThenableSource) { self.source = source }
}

private struct ValueThenable: SourceThenable { let source: ThenableSource }

private enum EnumThenable: SourceThenable {
  case some(ThenableSource)

  var source: ThenableSource {
    switch self {
    case .some(let source): source
    }
  }
}
