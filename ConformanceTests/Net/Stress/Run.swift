// Rounds of operations on threads, until the time is over.

import Dispatch
import DynamicPromise
import Foundation
import Seeds

struct Run {
  /// The time after which an operation, or a wait for leftovers, counts as hanging. It is generous, because
  /// the machine may be busy.
  private static let patience = DispatchTimeInterval.seconds(60)

  private let options: Options

  init(_ options: Options) { self.options = options }

  func run() {
    say("seed \(options.seed), \(options.threads) threads, \(options.seconds) s")
    let (operations, rounds) = rounds(from: 0, seconds: options.seconds)
    say("\(operations) operations in \(rounds) rounds; none of \(Live.made) objects is left")
  }

  /// Runs rounds for the given time, on threads that end afterwards.
  ///
  /// - Returns: The number of operations, and the number of the next round.
  func rounds(from first: Int, seconds: Double) -> (operations: Int, next: Int) {
    let lanes = (0..<options.threads).map { Lane(number: $0, options) }
    let end = DispatchTime.now() + seconds
    for lane in lanes { Thread { lane.work() }.start() }
    var (operations, number) = (0, first)
    repeat {
      operations += round(number, lanes)
      number += 1
    } while DispatchTime.now() < end
    for lane in lanes { lane.end() }
    return (operations, number)
  }

  /// Returns the number of operations.
  private func round(_ number: Int, _ lanes: [Lane]) -> Int {
    // The size and the mode depend on the seed as well.
    var random = Random(options.seed &+ UInt64(number) << 32)
    let mode = Round.Mode(rawValue: number % 3)!
    let count = mode == .unseen ? 500 + random.below(4000) : 100 + random.below(1500)
    Report.context.value = { [options] in
      "seed \(options.seed), round \(number) (\(mode)), \(count) operations for each thread\n"
        + lanes.map(\.description).joined(separator: "\n")
    }
    Round.begin(mode)
    Pool.open()
    for lane in lanes { lane.go(number, count) }
    for lane in lanes { waitForEnd(of: lane) }
    let deadline = DispatchTime.now() + Run.patience
    Round.checkCancels(until: deadline)
    Pool.close()
    // Settled promises retain the other kinds, and unfinished handlers retain expectations.
    Live.waitForNone(of: [.capture, .entry], until: deadline)
    Round.checkEnd(until: deadline)
    Round.end(until: deadline)
    Live.waitForNone(until: deadline)
    return count * lanes.count
  }

  /// A thread hangs if it stays in one operation.
  private func waitForEnd(of lane: Lane) {
    var position = -1
    while lane.ended.wait(timeout: .now() + Run.patience) == .timedOut {
      if lane.position == position { Report.fail("hangs", "thread \(lane.number)") }
      position = lane.position
    }
  }
}
