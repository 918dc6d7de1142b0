// Runs random programs, and reports those that break a rule.

import DynamicPromise
import ExecutableSpec
import Foundation

/// Random programs, by their seeds.
struct Programs {
  /// The time limit of one program, in seconds. Most programs take a millisecond.
  private var patience: Double { options.threads == 1 ? 60 : 120 }

  private let options: Options

  init(_ options: Options) { self.options = options }

  /// Runs the programs in a child process, and stores each seed in this file. Returns `true` if no rule was
  /// broken.
  func run(noting path: String) -> Bool {
    let (seed, threads) = (options.seed, options.threads)
    let parent = getppid()
    let watchdog = Watchdog(patience: patience) { program in
      if let program { say("seed \(program.seed) hangs") }
      exit(Crashes.hangs)
    } isNeeded: {
      getppid() == parent
    }
    let note = FileHandle(forWritingAtPath: path)
    var clauses: [String: Int] = [:]
    var done = 0
    for number in 0..<options.programs {
      let program = Generator.program(seed: seed &+ number, threads: threads)
      watchdog.begin(program)
      note?.seek(toFileOffset: 0)
      note?.write(Data("\(program.seed) ".utf8))
      done += 1
      guard let violation = program.violation() else { continue }
      say("FAILED: seed \(program.seed): \(violation)")
      clauses[violation.clause, default: 0] += 1
      if clauses[violation.clause] == 1 { report(program, violation, watchdog) }
      if !options.reportsAll { break }
    }
    try? note?.truncate(atOffset: 0)
    say("\(done) programs from seed \(seed), \(threads) threads")
    for (clause, count) in clauses.sorted(by: { $0.key < $1.key }) {
      say("FAILED: \(clause) in \(count) programs")
    }
    return clauses.isEmpty
  }

  private func report(_ program: Program, _ violation: Violation, _ watchdog: Watchdog) {
    let shrunk = program.withItsEnd().shrunk { candidate in
      watchdog.begin(candidate)
      let found = candidate.violation(rounds: 50, patience: 0.5)
      return found?.clause == violation.clause
    }
    let found = shrunk.violation(rounds: 50, patience: 0.5)
    say("\(found.map { "\($0)" } ?? "")\n\(shrunk.swiftSource)")
  }
}
