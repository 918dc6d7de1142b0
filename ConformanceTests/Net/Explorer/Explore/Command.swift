// The command `explore`: runs every program, prints a table, and exits with status 1 after a failure.

import Dispatch
import Scheduler

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The options on the command line.
struct Command {
  static let usage = """
    usage: explore [--bound N] [--most N] [--program TEXT]
           explore --replay PROGRAM SCHEDULE

      --bound N          at most N preemptions, in programs that have a bound (see the table)
      --most N           at most N schedules of each program
      --program TEXT     only programs whose names contain TEXT
      --replay           runs one schedule, which a failure has printed, and prints every step
    """

  var bound: Int?
  var most = Int.max
  var selected = programs
  private var arguments = CommandLine.arguments.dropFirst()

  init() {
    while let argument = arguments.popFirst() {
      switch argument {
      case "--help", "-h":
        print(Command.usage)
        exit(0)
      case "--bound": bound = number(of: argument, atLeast: 0)
      case "--most": most = number(of: argument, atLeast: 1)
      case "--program":
        let text = value(of: argument)
        selected = programs.filter { $0.name.contains(text) }
        if selected.isEmpty { stop("no program's name contains \(text)") }
      case "--replay": replay(value(of: argument), value(of: argument))
      default: stop("unknown argument \(argument)")
      }
    }
  }

  private mutating func value(of option: String) -> String {
    guard let next = arguments.popFirst() else { stop("\(option) needs a value") }
    return next
  }

  private mutating func number(of option: String, atLeast least: Int) -> Int {
    guard let number = Int(value(of: option)), number >= least else { stop("\(option) needs a number") }
    return number
  }

  private func stop(_ message: String) -> Never {
    let text = "explore: \(message)\n\(Command.usage)\n"
    _ = text.withCString { write(2, $0, strlen($0)) }
    exit(64)
  }

  private func replay(_ name: String, _ text: String) -> Never {
    guard let program = programs.first(where: { $0.name == name }) else { stop("no program \(name)") }
    guard let schedule = Schedule(text) else { stop("not a schedule: \(text)") }
    let (findings, trace) = Exploration.replay(program, schedule)
    for line in trace { print(line) }
    for finding in findings { print("finding: \(finding)") }
    exit(findings.isEmpty ? 0 : 1)
  }

  /// Runs the selected programs.
  func run() -> Never {
    let begin = DispatchTime.now()
    let width = selected.map(\.name.count).max() ?? 0
    print("\(padded("program", width))  preemptions   schedules         steps")
    var total = 0
    var isClean = true
    for program in selected {
      let bound = program.bound.map { self.bound ?? $0 }
      let report = Exploration.run(program, bound: bound, most: most)
      total += report.schedules
      let reach = padded(bound.map { "up to \($0)" } ?? "all", 12)
      let count = "\(report.schedules)\(report.isComplete ? "" : ", not all")"
      print("\(padded(program.name, width))  \(reach)  \(padded(count, 16))  \(report.longest)")
      if let (schedule, findings) = report.failure {
        isClean = false
        for finding in findings { print("  \(finding)") }
        print("  --replay \"\(program.name)\" \(schedule)")
      }
      fflush(nil)
    }
    let bounded = selected.count { $0.bound != nil }
    let seconds = Double(DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) / 1e9
    let programs = "\(selected.count) programs, \(bounded) of them with a bound"
    print("\(programs); \(total) schedules, \(Int(seconds.rounded())) s")
    exit(isClean ? 0 : 1)
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
