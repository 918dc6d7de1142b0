/// All contenders, in the order in which each round measures them.
let roster: [any Contender] =
  [
    DynamicPromiseContender.onImmediate,
    DynamicPromiseContender.onStepped,
    DynamicPromiseContender.onDefault,
    DynamicPromiseContender.onSerial,
    DynamicPromiseContender.onBarrier,
    Featureless(),
    FeaturelessOnQueue.serial,
    FeaturelessOnQueue.barrier,
    FeaturelessOnQueue.concurrent,
    FeaturelessRelay.concurrent,
    FeaturelessRelay.serial,
    FeaturelessRelay.barrier,
    SwiftNIOOnLoop(),
    SwiftNIOOffLoop(),
    OpenCombineFuture(),
    SwiftTasks(),
    RawDispatch.serial,
    RawDispatch.barrier,
    RawDispatch.concurrent,
    Machine(),
  ] + (NodePromise.found.map { [$0] } ?? [])
