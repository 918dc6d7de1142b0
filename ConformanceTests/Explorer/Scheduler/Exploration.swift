// The search: first the schedules without preemption, then those with one, with two, ... A switch from a thread that
// has to wait or has ended costs nothing. Nothing is run twice.

import Dispatch

/// What came out.
package struct Report {
  package var schedules = 0
  package var steps = 0
  package var levels: [Int] = []
  /// The number of preemptions up to which every schedule was run; -1 if not even those without.
  package var completeTo = -1
  package var isExhausted = false
  package var failure: (schedule: Schedule, findings: [String])?
}

package struct Exploration {
  let program: Program
  let bound: Int
  let deadline: DispatchTime
  private var level: [Schedule] = [Schedule()]
  private var nextLevel: [Schedule] = []
  private var random = SplitMix(seed: 1)

  package init(_ program: Program, bound: Int, deadline: DispatchTime) {
    self.program = program
    self.bound = bound
    self.deadline = deadline
  }

  package mutating func run() -> Report {
    var report = Report()
    for preemptions in 0...bound {
      var count = 0
      while let schedule = level.popLast() {
        // One preemption in every place at least: a loaded machine must not make the search an empty one.
        if preemptions > 1, DispatchTime.now() > deadline {
          report.levels.append(count)
          return report
        }
        let findings = Exploration.run(program, schedule)
        count += 1
        report.schedules += 1
        if !findings.isEmpty {
          report.failure = (schedule, findings)
          report.levels.append(count)
          return report
        }
        spread(schedule, hasNext: preemptions < bound)
      }
      report.completeTo = preemptions
      report.levels.append(count)
      if nextLevel.isEmpty {
        report.isExhausted = preemptions < bound
        return report
      }
      // If the time does not reach for all of them, those that are run shall lie everywhere.
      nextLevel.shuffle(using: &random)
      swap(&level, &nextLevel)
    }
    return report
  }

  private mutating func spread(_ schedule: Schedule, hasNext: Bool) {
    for other in Scheduler.alternatives {
      if other.isPreemption {
        if hasNext { nextLevel.append(schedule.with(step: other.step, thread: other.thread)) }
      } else {
        level.append(schedule.with(step: other.step, thread: other.thread))
      }
    }
  }

  /// One run; what was wrong with it.
  private static func run(_ program: Program, _ schedule: Schedule) -> [String] {
    LastWords.prepare(program.name, schedule)
    Scheduler.begin(schedule, isTraced: false)
    let world = World()
    world.run(program)
    return world.findings
  }

  /// Runs one schedule again: what was wrong, and every step.
  package static func replay(_ program: Program, _ schedule: Schedule) -> (
    findings: [String], trace: [String]
  ) {
    LastWords.prepare(program.name, schedule)
    Scheduler.begin(schedule, isTraced: true)
    let world = World()
    world.run(program)
    return (world.findings, Scheduler.trace)
  }
}

/// The same numbers in every run.
private struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
