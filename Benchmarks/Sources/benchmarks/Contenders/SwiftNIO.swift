// SwiftNIO's `EventLoopFuture`. On its event loop, handlers run in place. Off the loop, each step is
// submitted to the loop.

import BenchmarkKit
import NIOCore
import NIOPosix

private let onLoop: [Workload] = [.w1, .w2, .w3, .w4, .w5, .w5c, .w6, .w7, .w8a, .w10]

/// In W5r as in W5: a promise of SwiftNIO corresponds to a resolver.
let swiftNIOs = [
  contender("SwiftNIO on loop", onLoop, more: [.w5r: w5(onAny)], onAny),
  contender("SwiftNIO typed", onLoop, more: [.w5r: w5(typed)], typed),
  contender("SwiftNIO off loop", [.w1, .w2, .w3, .w4, .w5, .w6], more: [.w5r: w5(offLoop)], offLoop),
]

private let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)

@Sendable private func onAny() -> EventLoops<HandsOnAny> { EventLoops(loop: group.next(), isOnLoop: true) }
@Sendable private func typed() -> EventLoops<HandsOnInt> { EventLoops(loop: group.next(), isOnLoop: true) }
@Sendable private func offLoop() -> EventLoops<HandsOnAny> { EventLoops(loop: group.next(), isOnLoop: false) }

private func w5<Passed>(_ make: @escaping @Sendable () -> EventLoops<Passed>) -> Run {
  contender("", [.w5], make).runs[.w5]!
}

private struct EventLoops<Passed: Handed>: Library {
  typealias Step = EventLoopFuture<Passed.Value>

  let loop: any EventLoop
  let isOnLoop: Bool

  func here<T: Sendable>(_ body: @escaping @Sendable () throws -> T) throws -> T {
    isOnLoop ? try loop.submit(body).wait() : try body()
  }

  func pending() -> EventLoopPromise<Passed.Value> { loop.makePromise() }
  func fulfill(_ root: EventLoopPromise<Passed.Value>) { root.succeed(Passed.first) }
  func step(of root: EventLoopPromise<Passed.Value>) -> Step { root.futureResult }
  func settled() -> Step { loop.makeSucceededFuture(Passed.first) }

  func all(_ steps: [Step], _ latch: Latch) {
    _ = EventLoopFuture.whenAllSucceed(steps, on: loop).map { _ in latch.hit() }
  }

  func then(_ step: Step) -> Step { step.map { Passed.add(1, to: $0) } }

  func then(_ step: Step, _ latch: Latch) -> Step { then(step, latch, adding: 1) }

  func then(_ step: Step, _ latch: Latch, adding number: Int) -> Step {
    step.map {
      latch.hit()
      return Passed.add(number, to: $0)
    }
  }

  func thenReturning(_ step: Step) -> Step {
    step.flatMap { [loop] in loop.makeSucceededFuture(Passed.add(1, to: $0)) }
  }
}
