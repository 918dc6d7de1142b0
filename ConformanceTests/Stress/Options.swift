// What the command line asks for.

import ExecutableSpec
import Foundation

struct Options {
  static let usage = """
    usage: stress [--seconds N] [--threads N] [--seed N] [--only TEXT] [--soak] [--list]
           stress --programs N [--seed N] [--shard I/N] [--all] [--except CLAUSE]

      --seconds N    how long (default 60)
      --threads N    how many threads do random operations (default 3)
      --seed N       what decides each thread's operations, but not their order in time (default: any)
      --only TEXT    only operations whose name contains it, and those that make promises
      --soak         ends the load each ten seconds and prints what memory is in use; fails if it rises
      --list         the operations
      --programs N   instead: so many random programs on the executable Spec, each with a seed of its own
      --shard I/N    only each Nth of them, from the Ith
      --all          goes on after a failure; prints one program for each broken clause
      --print SEED   the program of that seed as Swift
      --except CLAUSE  does not check this clause; may be given several times
    """

  var seconds = 60.0
  var threads = 3
  var seed = UInt64.random(in: 0..<1 << 32)
  var operations = Operation.all
  var soaks = false
  var programs: UInt64?
  var shard: (number: UInt64, of: UInt64) = (1, 1)
  var reportsAll = false
  var exceptions: Set<String> = []
  /// Where a child process notes the seed of the program that it runs.
  var note: String?

  init(_ arguments: ArraySlice<String>) {
    var arguments = arguments
    func stop(_ message: String) -> Never {
      FileHandle.standardError.write(Data("stress: \(message)\n\(Options.usage)\n".utf8))
      exit(64)
    }
    while let option = arguments.popFirst() {
      switch option {
      case "--help", "-h":
        say(Options.usage)
        exit(0)
      case "--list":
        for operation in Operation.all { say(operation.name) }
        exit(0)
      case "--seconds":
        guard let number = arguments.popFirst().flatMap(Double.init), number > 0, number < 1e6 else {
          stop("--seconds needs a number")
        }
        seconds = number
      case "--threads":
        guard let number = arguments.popFirst().flatMap(Int.init), (1...256).contains(number) else {
          stop("--threads needs a number from 1 to 256")
        }
        threads = number
      case "--seed":
        guard let number = arguments.popFirst().flatMap(UInt64.init) else { stop("--seed needs a number") }
        seed = number
      case "--only":
        guard let text = arguments.popFirst() else { stop("--only needs a text") }
        let chosen = Operation.all.filter { $0.name.contains(text) }
        if chosen.isEmpty { stop("no operation's name contains \(text)") }
        operations = Operation.making.filter { !$0.name.contains(text) } + chosen
      case "--programs":
        guard let number = arguments.popFirst().flatMap(UInt64.init) else {
          stop("--programs needs a number")
        }
        programs = number
      case "--shard":
        let parts = (arguments.popFirst() ?? "").split(separator: "/").compactMap { UInt64($0) }
        guard parts.count == 2, parts[0] >= 1, parts[0] <= parts[1] else { stop("--shard needs I/N") }
        shard = (parts[0], parts[1])
      case "--all": reportsAll = true
      case "--soak": soaks = true
      // For the child processes that run programs.
      case Crashes.childOption: note = arguments.popFirst()
      case Crashes.tryOption:
        guard let program = arguments.popFirst().flatMap(Crashes.program) else { exit(0) }
        exit(program.violation(except: exceptions) == nil ? 0 : 1)
      case "--print":
        guard let number = arguments.popFirst().flatMap(UInt64.init) else { stop("--print needs a seed") }
        say(Generator.program(seed: number).swiftSource)
        exit(0)
      case "--except":
        guard let clause = arguments.popFirst() else { stop("--except needs a clause") }
        exceptions.insert(clause)
      default: stop("unknown argument \(option)")
      }
    }
  }
}
