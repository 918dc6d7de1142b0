// The options on the command line.

import ExecutableSpec
import Foundation

struct Options {
  static let usage = """
    usage: stress [--seconds N] [--threads N] [--seed N] [--only TEXT] [--soak]
           stress --programs N [--seed N] [--shard I/N] [--all] [--except CLAUSE]
           stress --print SEED

      --seconds N    how long (default 60)
      --threads N    how many threads run random operations (default 3)
      --seed N       the seed of the operations, whose timing still varies (default: random)
      --only TEXT    only operations whose names contain TEXT, and operations that make promises
      --soak         runs the load in parts of ten seconds, and prints the memory in use after each part;
                     fails if the memory keeps growing
      --programs N   runs N random programs on the executable Spec instead; the seeds are --seed and above
      --shard I/N    only every Nth program, beginning with the Ith
      --all          continues after a failure; prints one program for each broken clause
      --print SEED   prints the program of this seed as Swift
      --except CLAUSE  does not check this clause; may be given several times
    """

  var seconds = 60.0
  var threads = 3
  var seed = UInt64.random(in: 0..<1 << 32)
  var operations = Operation.all
  var soaks = false
  var programs: UInt64?
  /// The number of this shard, from 1, and the number of all shards.
  var shard: (number: UInt64, of: UInt64) = (1, 1)
  /// Whether to continue after a violation, and to print one program for each clause.
  var reportsAll = false
  var exceptions: Set<String> = []
  /// The file in which a child process stores the seed of the program that it runs.
  var note: String?

  init(_ arguments: ArraySlice<String>) {
    var arguments = arguments
    func stop(_ message: String) -> Never {
      FileHandle.standardError.write(Data("stress: \(message)\n\(Options.usage)\n".utf8))
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
      case "--seconds": seconds = number(option) { $0 > 0 && $0 < 1e6 }
      case "--threads": threads = number(option) { (1...256).contains($0) }
      case "--seed": seed = number(option)
      case "--only":
        let text = value(option)
        let chosen = Operation.all.filter { $0.name.contains(text) }
        if chosen.isEmpty { stop("no operation's name contains \(text)") }
        operations = Operation.making.filter { !$0.name.contains(text) } + chosen
      case "--programs": programs = number(option) as UInt64
      case "--shard":
        let parts = value(option).split(separator: "/").compactMap { UInt64($0) }
        guard parts.count == 2, parts[0] >= 1, parts[0] <= parts[1] else { stop("--shard needs I/N") }
        shard = (parts[0], parts[1])
      case "--all": reportsAll = true
      case "--soak": soaks = true
      // These options are for the child processes that run programs.
      case Crashes.childOption: note = arguments.popFirst()
      case Crashes.tryOption:
        guard let program = arguments.popFirst().flatMap(Crashes.program) else { exit(0) }
        exit(program.violation(except: exceptions) == nil ? 0 : 1)
      case "--print":
        say(Generator.program(seed: number(option)).swiftSource)
        exit(0)
      case "--except": exceptions.insert(value(option))
      default: stop("unknown argument \(option)")
      }
    }
  }
}
