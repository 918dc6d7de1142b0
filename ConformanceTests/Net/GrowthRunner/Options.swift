// The options on the command line.

import Foundation
import Growth

/// Writes a line without buffering.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

struct Options {
  static let usage = """
    usage: growth [--only TEXT] [--most N] [--worst]

      --only TEXT    only the lines whose names contain TEXT
      --most N       the greatest number of promises (default 100000)
      --worst        only the shape of each operation that grows fastest

    Debug builds also count the links that are followed under locks.
    """

  var most = 100_000
  var isWorstOnly = false
  /// The line to measure, in a process that measures one line.
  var line: Int?

  /// The indices in `Line.all` of the lines to measure.
  var chosen = Array(Line.all.indices)

  /// 1,000, 10,000 and so on, up to `most`.
  var sizes: [Int] { Array(sequence(first: min(1000, most)) { $0 * 10 }.prefix { $0 <= most }) }

  init(_ arguments: ArraySlice<String>) {
    var arguments = arguments
    func stop(_ message: String) -> Never {
      FileHandle.standardError.write(Data("growth: \(message)\n\(Options.usage)\n".utf8))
      exit(64)
    }
    func number(_ option: String) -> Int {
      guard let number = arguments.popFirst().flatMap(Int.init), number >= 0 else {
        stop("\(option) needs a number")
      }
      return number
    }
    while let option = arguments.popFirst() {
      switch option {
      case "--help", "-h":
        say(Options.usage)
        exit(0)
      case "--only":
        guard let text = arguments.popFirst() else { stop("--only needs a text") }
        chosen = Line.all.indices.filter { Line.all[$0].name.contains(text) }
        if chosen.isEmpty { stop("no line's name contains \(text)") }
      case "--most": most = max(10, number(option))
      case "--worst": isWorstOnly = true
      case "--line": line = number(option)
      default: stop("unknown argument \(option)")
      }
    }
  }
}
