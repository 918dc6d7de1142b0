// What the command line asks for.

import Foundation

struct Options {
  static let usage = """
    usage: stress [--seconds N] [--threads N] [--seed N] [--only TEXT] [--list]

      --seconds N    how long (default 60)
      --threads N    how many threads do random operations (default 3)
      --seed N       what decides each thread's operations, but not their order in time (default: any)
      --only TEXT    only operations whose name contains it, and those that make promises
      --list         the operations
    """

  var seconds = 60.0
  var threads = 3
  var seed = UInt64.random(in: 0..<1 << 32)
  var operations = Operation.all

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
      default: stop("unknown argument \(option)")
      }
    }
  }
}
