// The options on the command line.

import ExecutableSpec
import Foundation

struct Options {
  static let usage = """
    usage: programs [--programs N] [--seed N] [--threads N] [--all]
           programs --print SEED [--threads N]

      --programs N   how many programs (default 10,000); the seeds are --seed and above
      --seed N       the first seed (default: random)
      --threads N    each program's operations are performed by N threads, whose timing varies (default 1)
      --all          continues after a failure; prints one program for each broken clause
      --print SEED   prints the program of this seed as Swift
    """

  var programs: UInt64 = 10_000
  var threads = 1
  var seed = UInt64.random(in: 0..<1 << 32)
  /// Whether to continue after a violation, and to print one program for each clause.
  var reportsAll = false
  var printed: UInt64?
  /// The file in which a child process stores the seed of the program that it runs.
  var note: String?

  init(_ arguments: ArraySlice<String>) {
    var arguments = arguments
    func stop(_ message: String) -> Never {
      FileHandle.standardError.write(Data("programs: \(message)\n\(Options.usage)\n".utf8))
      exit(64)
    }
    func value(_ option: String) -> String {
      guard let value = arguments.popFirst() else { stop("\(option) needs a value") }
      return value
    }
    func number<N: LosslessStringConvertible>(_ option: String, _ fits: (N) -> Bool = { _ in true }) -> N {
      guard let number = N(value(option)), fits(number) else { stop("the number of \(option) is invalid") }
      return number
    }
    while let option = arguments.popFirst() {
      switch option {
      case "--help", "-h":
        say(Options.usage)
        exit(0)
      case "--programs": programs = number(option)
      case "--threads": threads = number(option) { (1...64).contains($0) }
      case "--seed": seed = number(option)
      case "--all": reportsAll = true
      // These options are for the child processes that run programs.
      case Crashes.childOption: note = arguments.popFirst()
      case Crashes.tryOption:
        guard let program = Crashes.program(named: value(option), threads: threads) else { exit(0) }
        let watchdog = Watchdog(patience: 5) { _ in exit(Crashes.hangs) }
        watchdog.begin(program)
        exit(program.violation(rounds: 50, patience: 1) == nil ? 0 : 1)
      case "--print":
        printed = number(option) as UInt64
      default: stop("unknown argument \(option)")
      }
    }
  }
}

/// Writes a line without buffering.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
