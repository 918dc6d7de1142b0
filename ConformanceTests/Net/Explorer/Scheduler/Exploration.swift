// Runs a program under one schedule after another.

internal import Hooks

protocol Search: Pilot {
  /// The beginning of the current schedule, or the whole schedule after its run.
  var schedule: Schedule { get }
  /// Moves to the next schedule. Returns `false` if no schedule is left.
  func nextRun() -> Bool
}

package struct Report {
  package var schedules = 0
  package var longest = 0
  package var isComplete = true
  package var failure: (schedule: Schedule, findings: [String])?
}

package enum Exploration {
  /// Runs the schedules of a program with at most `bound` preemptions, until a schedule fails or `most`
  /// schedules have run.
  package static func run(_ program: Program, bound: Int?, most: Int) -> Report {
    let search: any Search = if let bound { BoundedSearch(bound: bound) } else { FullSearch() }
    var report = Report()
    while search.nextRun() {
      if report.schedules == most {
        report.isComplete = false
        return report
      }
      let findings = run(program, search)
      report.schedules += 1
      report.longest = max(report.longest, Scheduler.steps)
      if !findings.isEmpty {
        report.failure = (search.schedule, findings)
        return report
      }
    }
    return report
  }

  /// Runs one schedule again, and returns the findings and every step.
  package static func replay(_ program: Program, _ schedule: Schedule) -> (
    findings: [String], trace: [String]
  ) {
    let findings = run(program, BoundedSearch(bound: 0, first: schedule), isTraced: true)
    return (findings, Scheduler.trace)
  }

  private static func run(_ program: Program, _ search: any Search, isTraced: Bool = false) -> [String] {
    LastWords.prepare(program.name, search.schedule)
    Scheduler.begin(search, sharesLocks: program.sharesLocks, isTraced: isTraced)
    let world = World()
    world.run(program)
    _ = hooks_enter(-1)
    return world.findings
  }
}
