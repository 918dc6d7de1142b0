// The threads, and what must hold when they have ended.

import Dispatch
import DynamicPromise
import Foundation
import Synchronization

/// Writes a line at once, wherever it goes.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

struct Run {
  /// How long a thread or what is left may take before it counts as hanging; generous, because the machine
  /// may be busy.
  private static let patience = DispatchTimeInterval.seconds(60)

  private let options: Options
  private let isOver = Stop()

  init(_ options: Options) { self.options = options }

  /// Whether everything ended as it must.
  func run() -> Bool {
    say("seed \(options.seed), \(options.threads) threads, \(options.seconds) s")
    let begin = DispatchTime.now()
    let lanes = (0..<options.threads).map { Lane(number: $0, options, isOver) }
    for lane in lanes { Thread { lane.work() }.start() }
    isOver.wait(seconds: options.seconds)
    for lane in lanes where lane.ended.wait(timeout: .now() + Run.patience) == .timedOut {
      return fail("thread \(lane.number) hangs in \"\(lane.operation)\"")
    }
    let operations = lanes.reduce(0) { $0 + $1.done }
    say("\(operations) operations")
    Pool.close()
    guard Live.waitForNone(until: .now() + Run.patience) else {
      let left = Live.alive.map { "\($0.count) (\($0.kind))" }.joined(separator: ", ")
      return fail("of \(Live.made) objects are left: \(left)")
    }
    let seconds = Double(DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) / 1e9
    say("none of \(Live.made) objects is left after \(Int(seconds.rounded())) s")
    return true
  }

  private func fail(_ what: String) -> Bool {
    say("FAILED: \(what)")
    return false
  }
}

/// Says when to stop.
private final class Stop: Sendable {
  private let isSaid = Atomic<Bool>(false)

  var said: Bool { isSaid.load(ordering: .relaxed) }

  /// Nothing happens meanwhile that anybody could signal: only time passes.
  func wait(seconds: Double) {
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + seconds)
    isSaid.store(true, ordering: .relaxed)
  }
}

/// One thread.
private final class Lane: Sendable {
  let number: Int
  let ended = DispatchSemaphore(value: 0)
  private let options: Options
  private let isOver: Stop
  private let count = Atomic<Int>(0)
  private let current = Atomic<Int>(0)

  init(number: Int, _ options: Options, _ isOver: Stop) {
    self.number = number
    self.options = options
    self.isOver = isOver
  }

  var done: Int { count.load(ordering: .relaxed) }
  var operation: String { options.operations[current.load(ordering: .relaxed)].name }

  func work() {
    var random = Random(options.seed &+ UInt64(number) << 32)
    let lots = Operation.lots(options.operations)
    while !isOver.said {
      let chosen = lots[random.below(lots.count)]
      current.store(chosen, ordering: .relaxed)
      options.operations[chosen].body(&random)
      count.add(1, ordering: .relaxed)
    }
    ended.signal()
  }
}
