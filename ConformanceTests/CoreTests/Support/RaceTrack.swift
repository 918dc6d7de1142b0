// Starting things at the same instant, again and again.

import DynamicPromise
import Foundation
import Synchronization
import XCTest

/// Some threads that start their parts of a round together.
///
/// The caller runs the first part itself. The threads meet at a gate by looking at a counter rather than by
/// sleeping, so that they leave it within nanoseconds of each other where there are processors enough. Each
/// then loses a few steps, other ones in every round, because the last one would always be the first to
/// leave.
final class RaceTrack: @unchecked Sendable {
  typealias Part = @Sendable () -> Void

  /// How many of the rounds are run, in percent. `RACE_ROUNDS=100` runs them all.
  static let percentOfRounds = ProcessInfo.processInfo.environment["RACE_ROUNDS"].flatMap(Int.init) ?? 15

  /// That part of `rounds`, but never less than a test needs to show anything at all.
  static func part(of rounds: Int, atLeast least: Int) -> Int {
    min(rounds, max(least, rounds * percentOfRounds / 100))
  }

  private let arrived = Atomic<Int>(0)
  private let isOver = Atomic<Bool>(false)
  private let lanes: Int
  /// Written by the caller before the gate, read after it.
  private var parts: [Part] = []

  init(lanes: Int) {
    self.lanes = lanes
    for lane in 1..<lanes {
      Thread { self.work(lane) }.start()
    }
  }

  /// Ends the threads.
  func close() {
    isOver.store(true, ordering: .releasing)
  }

  /// Runs the parts together and returns when all have returned; false if one hangs.
  func run(_ parts: [Part]) -> Bool {
    precondition(parts.count == lanes)
    self.parts = parts
    guard meet() else { return false }
    stumble(0)
    parts[0]()
    let isComplete = meet()
    if isComplete { self.parts = [] }
    return isComplete
  }

  private func work(_ lane: Int) {
    while meet(isPatient: true), !isOver.load(ordering: .acquiring) {
      stumble(lane)
      parts[lane]()
      guard meet() else { return }
    }
  }

  /// Loses up to some hundred steps: the same ones in every run, as far as it depends on us.
  private func stumble(_ lane: Int) {
    var bits = UInt64(truncatingIfNeeded: arrived.load(ordering: .relaxed) / lanes * lanes + lane)
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    bits ^= bits >> 31
    let steps = (bits >> 8) & ((1 << (bits & 7)) - 1)
    if bits >> 62 == 0 { sched_yield() }
    for _ in 0..<steps { _ = arrived.load(ordering: .relaxed) }
  }

  /// Waits until every lane has come here as often as this one. False if that takes too long.
  private func meet(isPatient: Bool = false) -> Bool {
    let ticket = arrived.add(1, ordering: .acquiringAndReleasing).oldValue
    let target = (ticket / lanes + 1) * lanes
    var looks = 0
    var deadline: Date?
    while arrived.load(ordering: .acquiring) < target {
      if isOver.load(ordering: .acquiring) { return false }
      looks += 1
      if looks > 500 { sched_yield() }
      if looks & 0xFFFF == 0 {
        let limit = deadline ?? Date(timeIntervalSinceNow: patience)
        deadline = limit
        if !isPatient && Date() > limit { return false }
      }
    }
    return true
  }
}

extension XCTestCase {
  /// `rounds` races: `prepare` makes the parts of one and what is to be checked when all have returned.
  func race(
    lanes: Int, rounds: Int, file: StaticString = #filePath, line: UInt = #line,
    _ prepare: (Int) -> (parts: [RaceTrack.Part], check: () throws -> Void)
  ) {
    let rounds = RaceTrack.part(of: rounds, atLeast: 20)
    let track = RaceTrack(lanes: lanes)
    defer { track.close() }
    for round in 0..<rounds {
      var (parts, check) = prepare(round)
      guard track.run(parts) else {
        return XCTFail("\(name) hangs in round \(round)", file: file, line: line)
      }
      parts = []
      do { try check() } catch { XCTFail("round \(round): \(error)", file: file, line: line) }
    }
  }
}

/// A strong reference that one part of a race gives up while others may use it.
final class Hold<Object: AnyObject & Sendable>: Sendable {
  private let object: Mutex<Object?>

  init(_ object: Object) { self.object = Mutex(object) }

  /// Uses it if it is still there, for as long as `body` runs.
  func with(_ body: (Object) -> Void) {
    if let held = object.withLock({ $0 }) { body(held) }
  }

  /// Gives it up, on this thread and without a lock.
  func drop() {
    let dropped = object.withLock { $0.take() }
    _ = consume dropped
  }
}
