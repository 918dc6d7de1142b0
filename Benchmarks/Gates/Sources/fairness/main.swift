// How long a handler and a timer wait beside as many endless loops as there are processors:
// `fairness [SAMPLES]`.
// The first row has blocks that enqueue themselves on a concurrent queue instead of promises.

import BenchmarkKit
import Dispatch
import DynamicPromise
import Foundation
import Synchronization

/// Work that keeps every processor busy, and the two delays that are measured beside it.
struct Contender {
  let name: String
  /// Starts an endless loop that ends when `isOver` returns `true`.
  let loop: (_ isOver: @escaping @Sendable () -> Bool, _ end: @escaping @Sendable () -> Void) -> Void
  /// Runs the closure as another task would.
  let handler: (@escaping @Sendable () -> Void) -> Void
  /// Runs the closure after a number of seconds.
  let timer: (Double, @escaping @Sendable () -> Void) -> Void
}

let now: @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }

/// One step of a loop: 100 microseconds of work.
let step: @Sendable () -> Void = {
  let end = now() + 100_000
  while now() < end {}
}

let queue = DispatchQueue(label: "fairness", attributes: .concurrent)

@Sendable func enqueue(_ isOver: @escaping @Sendable () -> Bool, _ end: @escaping @Sendable () -> Void) {
  queue.async {
    step()
    if isOver() { end() } else { enqueue(isOver, end) }
  }
}

/// A chain of 400 handlers, and then another.
@Sendable func chain(_ isOver: @escaping @Sendable () -> Bool, _ end: @escaping @Sendable () -> Void) {
  var last = Promise.resolved(0)
  for _ in 0..<400 { last = last.then { _ in if !isOver() { step() } } }
  last.then { _ in if isOver() { end() } else { chain(isOver, end) } }
}

let handler = { (body: @escaping @Sendable () -> Void) in _ = Promise.task { body() } }
let timer = { (seconds: Double, body: @escaping @Sendable () -> Void) in
  _ = Promise.delay(seconds).thenOn(.immediate) { body() }
}
let contenders = [
  Contender(
    name: "blocks", loop: enqueue, handler: { queue.async(execute: $0) },
    timer: { queue.asyncAfter(deadline: .now() + $0, execute: $1) }),
  Contender(
    name: "repeat",
    loop: { isOver, end in
      Promise.repeat { () -> Int? in
        step()
        return isOver() ? nil : 1
      }.finally(end)
    }, handler: handler, timer: timer),
  Contender(name: "400 x then", loop: chain, handler: handler, timer: timer),
]

/// Waits until `begin` has called its argument; returns the time of that call.
func time(_ begin: (@escaping @Sendable () -> Void) -> Void) -> UInt64 {
  let called = Atomic<UInt64>(0)
  let semaphore = DispatchSemaphore(value: 0)
  begin {
    called.store(now(), ordering: .releasing)
    semaphore.signal()
  }
  semaphore.wait()
  return called.load(ordering: .acquiring)
}

let samples = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 1000
let loops = ProcessInfo.processInfo.activeProcessorCount
print("\(loops) endless loops in steps of 100 µs; delays in µs, of \(samples); lower is better")
let rows = contenders.map { contender -> [String] in
  let isOver = Atomic(false)
  let ends = DispatchGroup()
  for _ in 0..<loops {
    ends.enter()
    contender.loop({ isOver.load(ordering: .relaxed) }, { ends.leave() })
  }
  let handlers = (0..<samples).map { _ in
    let begin = now()
    return Double(time(contender.handler) - begin) / 1000
  }
  let timers = (0..<samples).map { _ in
    let due = now() + 2_000_000
    return Double(time { contender.timer(0.002, $0) } - due) / 1000
  }
  isOver.store(true, ordering: .relaxed)
  ends.wait()
  let figures = [handlers, timers].map { Sample($0) }.flatMap { [$0.median, $0.maximum] }
  return [contender.name] + figures.map { Text.number($0!) }
}
print(Text.table(["loops", "handler: median", "worst", "timer: median", "worst"], rows), terminator: "")
