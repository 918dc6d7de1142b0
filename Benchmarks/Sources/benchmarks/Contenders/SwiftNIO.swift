// SwiftNIO's `EventLoopFuture`. On its event loop, handlers run in place. Off the loop, each step is
// submitted to the loop.

import BenchmarkKit
import NIOCore
import NIOPosix

private let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
private let loop = group.next()

/// The workloads that do not depend on the thread. Each returns the future of the last step.
private enum Steps<Passed: Handed> {
  typealias Last = EventLoopFuture<Passed.Value>

  static func settled(_ count: Int) -> Last {
    var future = loop.makeSucceededFuture(Passed.first)
    for _ in 0..<count { future = future.map { Passed.next($0) } }
    return future
  }

  static func chain(_ count: Int) -> Last {
    let root = loop.makePromise(of: Passed.Value.self)
    var future = root.futureResult
    for _ in 0..<count { future = future.map { Passed.next($0) } }
    root.succeed(Passed.first)
    return future
  }

  static func shared(_ count: Int) -> Last {
    let root = loop.makePromise(of: Passed.Value.self)
    for _ in 1..<count { _ = root.futureResult.map { Passed.next($0) } }
    let last = root.futureResult.map { Passed.next($0) }
    root.succeed(Passed.first)
    return last
  }

  static func returned(_ count: Int) -> Last {
    let root = loop.makePromise(of: Passed.Value.self)
    var future = root.futureResult
    for _ in 0..<count { future = future.flatMap { loop.makeSucceededFuture(Passed.next($0)) } }
    root.succeed(Passed.first)
    return future
  }
}

struct SwiftNIOOnLoop<Passed: Handed>: Contender {
  let name: String

  let runs: [Workload: Run] = [
    .w1: { count in try onLoop { _ = Steps<Passed>.settled(count) } },
    .w2: { count in try onLoop { _ = Steps<Passed>.chain(count) } },
    .w3: { count in try onLoop { _ = Steps<Passed>.shared(count) } },
    .w4: { count in
      try time {
        let (promises, all) = try loop.submit {
          let promises = (0..<count).map { _ in loop.makePromise(of: Passed.Value.self) }
          return (
            promises, EventLoopFuture.whenAllSucceed(promises.map(\.futureResult), on: loop).map { $0.count }
          )
        }.wait()
        Helper.first.start { for promise in promises { promise.succeed(Passed.first) } }
        Helper.first.join()
        _ = try all.wait()
      }
    },
    .w5: { count in try independent(count, on: loop) },
    // The same as W5, because a promise of SwiftNIO corresponds to a resolver.
    .w5r: { count in try independent(count, on: loop) },
    .w5c: { count in
      try onLoop {
        for index in 0..<count {
          let promise = loop.makePromise(of: Passed.Value.self)
          _ = promise.futureResult.map { Passed.add(index + count, to: $0) }
          promise.succeed(Passed.first)
        }
      }
    },
    .w6: { count in try onLoop { _ = Steps<Passed>.returned(count) } },
    .w7: { count in
      try loop.submit {
        heapGrowth(count) { _ in
          let promise = loop.makePromise(of: Passed.Value.self)
          _ = promise.futureResult.map { Passed.next($0) }
          return promise.futureResult
        }
      }.wait()
    },
    .w10: { count in try independent(count, on: group.next()) },
  ]

  private static func onLoop(_ body: @escaping @Sendable () -> Void) throws -> Figures {
    try loop.submit { time(body) }.wait()
  }

  private static func independent(_ count: Int, on loop: any EventLoop) throws -> Figures {
    try loop.submit {
      time {
        for _ in 0..<count {
          let promise = loop.makePromise(of: Passed.Value.self)
          _ = promise.futureResult.map { Passed.next($0) }
          promise.succeed(Passed.first)
        }
      }
    }.wait()
  }
}

struct SwiftNIOOffLoop: Contender {
  let name = "SwiftNIO off loop"

  let runs: [Workload: Run] = [
    .w1: { count in try time { _ = try Steps<HandsOnAny>.settled(count).wait() } },
    .w2: { count in try time { _ = try Steps<HandsOnAny>.chain(count).wait() } },
    .w3: { count in try time { _ = try Steps<HandsOnAny>.shared(count).wait() } },
    .w4: { count in
      try time {
        let promises = (0..<count).map { _ in loop.makePromise(of: HandsOnAny.Value.self) }
        let all = EventLoopFuture.whenAllSucceed(promises.map(\.futureResult), on: loop).map { $0.count }
        Helper.first.start { for promise in promises { promise.succeed(HandsOnAny.first) } }
        Helper.first.join()
        _ = try all.wait()
      }
    },
    .w5: independent,
    .w5r: independent,
    .w6: { count in try time { _ = try Steps<HandsOnAny>.returned(count).wait() } },
  ]

  private static let independent: Run = { count in
    try time {
      var last = loop.makeSucceededFuture(HandsOnAny.first)
      for _ in 0..<count {
        let promise = loop.makePromise(of: HandsOnAny.Value.self)
        last = promise.futureResult.map { HandsOnAny.next($0) }
        promise.succeed(HandsOnAny.first)
      }
      _ = try last.wait()
    }
  }
}
