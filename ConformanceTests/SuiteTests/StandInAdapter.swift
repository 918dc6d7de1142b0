import PromisesAPlusSuite

/// The stand-in, healthy or with one defect, as the suite sees it.
struct StandInAdapter: PromiseAdapter {
  let world: StandInWorld
  let handlerOrder: HandlerOrder

  init(_ defect: Defect? = nil) {
    world = StandInWorld(defect)
    handlerOrder = .bodies
  }

  /// The stand-in with handlers that may overlap.
  init(overlapping defect: Defect?, reason: String) {
    let log = SchedulingLog()
    world = StandInWorld(defect, log: log)
    handlerOrder = .scheduling(log, reason: reason)
  }

  private init(_ world: StandInWorld) {
    self.world = world
    handlerOrder = .bodies
  }

  func on(_ context: SteppedContext) -> StandInAdapter? {
    StandInAdapter(StandInWorld(world.defect, context: context))
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

  var combinators: Combinators<StandIn> { StandInCombinators(world: world).all }

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

private final class ObjectThenable: StandInThenable {
  private let source: ThenableSource

  init(_ source: ThenableSource) {
    self.source = source
  }

  var then: StandInThenMethod? {
    get throws { try source.readThen() }
  }
}

private struct ValueThenable: StandInThenable {
  let source: ThenableSource

  var then: StandInThenMethod? {
    get throws { try source.readThen() }
  }
}

private enum EnumThenable: StandInThenable {
  case some(ThenableSource)

  var then: StandInThenMethod? {
    get throws {
      switch self {
      case .some(let source): try source.readThen()
      }
    }
  }
}
