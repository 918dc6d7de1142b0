// Races: threads that start together, round after round.

import DynamicPromise
import XCTest

#if !canImport(Darwin)
  import Synchronization
#endif

/// Threads that start their parts of a round together.
///
/// The caller runs the first part itself. The threads meet at a gate, where they poll a counter instead of
/// sleeping. With enough processors, the threads leave the gate within nanoseconds of each other. Each thread
/// then waits for a few steps, which vary from round to round. Otherwise the last thread at the gate would
/// always leave first.
final class RaceTrack: @unchecked Sendable {
  typealias Part = @Sendable () -> Void

  /// The percentage of the rounds that run. `RACE_ROUNDS=100` runs all rounds.
  static let percentOfRounds = ProcessInfo.processInfo.environment["RACE_ROUNDS"].flatMap(Int.init) ?? 15

  /// `percentOfRounds` percent of `rounds`, but at least `least` and at most `rounds`.
  static func part(of rounds: Int, atLeast least: Int) -> Int {
    min(rounds, max(least, rounds * percentOfRounds / 100))
  }

  private let arrived = Tally()
  private let ended = Tally()
  private let lanes: Int
  /// The caller writes the parts before the gate, and the threads read them after the gate.
  private var parts: [Part] = []

  init(lanes: Int) {
    self.lanes = lanes
    for lane in 1..<lanes { Thread { self.work(lane) }.start() }
  }

  /// Ends the threads.
  func close() { ended.add() }

  /// Runs the parts together and waits until all parts have returned. The result is false if a part hangs.
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
    while meet(isPatient: true), ended.value == 0 {
      stumble(lane)
      parts[lane]()
      guard meet() else { return }
    }
  }

  /// Waits for up to 127 steps. The numbers are pseudo-random, but the same in every run.
  private func stumble(_ lane: Int) {
    var bits = UInt64(truncatingIfNeeded: arrived.value / lanes * lanes + lane)
    bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
    bits ^= bits >> 31
    let steps = (bits >> 8) & ((1 << (bits & 7)) - 1)
    if bits >> 62 == 0 { sched_yield() }
    for _ in 0..<steps { _ = arrived.value }
  }

  /// Waits until every lane has called `meet` as often as this lane. The result is false after a timeout.
  private func meet(isPatient: Bool = false) -> Bool {
    let ticket = arrived.add()
    let target = (ticket / lanes + 1) * lanes
    var looks = 0
    var deadline: Date?
    while arrived.value < target {
      if ended.value > 0 { return false }
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

/// A number that threads increase and poll. `Atomic` needs macOS 15.
private final class Tally: Sendable {
  #if canImport(Darwin)
    private let number = Guarded(0)
    var value: Int { number.with { $0 } }
  #else
    private let number = Atomic(0)
    var value: Int { number.load(ordering: .acquiring) }
  #endif

  /// Adds one and returns the former number.
  @discardableResult
  func add() -> Int {
    #if canImport(Darwin)
      number.with { number in
        defer { number += 1 }
        return number
      }
    #else
      number.add(1, ordering: .acquiringAndReleasing).oldValue
    #endif
  }
}

extension XCTestCase {
  /// Runs at most `rounds` races. `prepare` makes the parts of a race, and a check that runs afterwards.
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

  /// Runs races with a canary each, and waits until all canaries are freed.
  func race(
    lanes: Int, rounds: Int, file: StaticString = #filePath, line: UInt = #line,
    _ prepare: (Int, Canary) -> (parts: [RaceTrack.Part], check: () throws -> Void)
  ) {
    let alive = LiveCount()
    race(lanes: lanes, rounds: rounds, file: file, line: line) { round in prepare(round, alive.make()) }
    alive.waitUntilEmpty(file: file, line: line)
  }
}

/// The parts of a race, and its check as a trailing closure.
func racing(
  _ parts: [RaceTrack.Part], then check: @escaping () throws -> Void
) -> (parts: [RaceTrack.Part], check: () throws -> Void) { (parts, check) }

/// A strong reference that one part of a race releases while other parts may use it.
final class Hold<Object: AnyObject & Sendable>: Sendable {
  private let object: Guarded<Object?>

  init(_ object: Object) { self.object = Guarded(object) }

  /// Calls `body` with the object, unless the object has been dropped.
  func with(_ body: (Object) -> Void) { if let held = object.with({ $0 }) { body(held) } }

  /// Releases the object on this thread, outside the lock.
  func drop() {
    let dropped = object.with { $0.take() }
    _ = consume dropped
  }
}
