// `swift run explore`: every program, a table, status 1 if something was found.

import Dispatch
import Scheduler

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the command line asks for.
struct Command {
  static let usage = """
    usage: explore [--seconds N] [--bound N] [--program TEXT] [--list]
           explore --replay PROGRAM SCHEDULE

      --seconds N        time for all programs together (default 60)
      --bound N          preemptions at most (default 3)
      --program TEXT     only programs whose name contains it
      --replay           one schedule, as a failure names it, with every step
    """

  var seconds = 60.0
  var bound = 3
  var selected = programs
  private var arguments = CommandLine.arguments.dropFirst()

  init() {
    while let argument = arguments.popFirst() {
      switch argument {
      case "--help", "-h":
        print(Command.usage)
        exit(0)
      case "--list":
        for program in programs { print(program.name) }
        exit(0)
      case "--seconds":
        guard let number = Double(value(of: argument)), number > 0 else { stop("--seconds needs a number") }
        seconds = number
      case "--bound":
        guard let number = Int(value(of: argument)), number >= 0 else { stop("--bound needs a number") }
        bound = number
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

  /// Whether nothing was found.
  func run() -> Bool {
    let begin = DispatchTime.now()
    let width = selected.map(\.name.count).max() ?? 0
    print("\(padded("program", width))  schedules  preemptions, schedules with each")
    var total = 0
    var isClean = true
    for (index, program) in selected.enumerated() {
      // What one program leaves of its share goes to those after it.
      let left = seconds - elapsed(since: begin)
      let share = max(0, left) / Double(selected.count - index)
      var exploration = Exploration(program, bound: bound, deadline: .now() + share)
      let report = exploration.run()
      total += report.schedules
      print("\(padded(program.name, width))  \(padded(String(report.schedules), 9))  \(describe(report))")
      if let (schedule, findings) = report.failure {
        isClean = false
        for finding in findings { print("  \(finding)") }
        print("  --replay \"\(program.name)\" \(schedule)")
      }
      fflush(nil)
    }
    print("\(selected.count) programs, \(total) schedules, \(Int(elapsed(since: begin).rounded())) s")
    return isClean
  }

  private func describe(_ report: Report) -> String {
    let reach =
      if report.failure != nil {
        "FAILED"
      } else if report.isExhausted {
        "all"
      } else if report.completeTo == bound {
        "all with up to \(bound)"
      } else {
        "all with up to \(report.completeTo), some with \(report.completeTo + 1)"
      }
    return reach + ": " + report.levels.map(String.init).joined(separator: " + ")
  }

  private func elapsed(since begin: DispatchTime) -> Double {
    Double(DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds) / 1e9
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
