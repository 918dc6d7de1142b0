import Foundation

struct Options: Sendable {
  var urls: [URL] = []
  var folder = "."
  var jobs = 4
  var retries = 2
  /// The limit for one file with all its attempts, in seconds.
  var fileTime = 300.0
  /// The limit for all files, in seconds.
  var totalTime = Double.infinity
  var showsGraph = false

  static let usage = """
    usage: fetch [options] URL ...

      -o, --output FOLDER   where the files go (.); made if it does not exist
      -j, --jobs N          how many at once (4)
      -r, --retries N       how many further attempts a file gets (2)
      -t, --timeout S       seconds for one file with all its attempts (300)
      -T, --total S         seconds for all files (no limit)
          --graph           print the tree of promises at the end
      -h, --help            this text

    A file appears under its name when it is complete. Exit status: 0 all files exist; 1 some do not, or
    the folder cannot be written to; 2 wrong usage; 124 the time for all was over; 128 + N ended by signal N.
    """

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "-o", "--output": folder = try Self.value(of: argument, &rest)
      case "-j", "--jobs": jobs = try Self.number(of: argument, &rest, from: 1)
      case "-r", "--retries": retries = try Self.number(of: argument, &rest, from: 0)
      case "-t", "--timeout": fileTime = try Self.number(of: argument, &rest, from: 0)
      case "-T", "--total": totalTime = try Self.number(of: argument, &rest, from: 0)
      case "--graph": showsGraph = true
      case "-h", "--help": throw Help()
      default:
        guard !argument.hasPrefix("-"), let url = URL(string: argument), url.scheme != nil, url.host != nil
        else {
          throw UsageError(text: "neither an option nor a URL: \(argument)")
        }
        urls.append(url)
      }
    }
    if urls.isEmpty { throw UsageError(text: "no URL") }
  }

  private static func value(of option: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else { throw UsageError(text: "\(option) needs a value") }
    return value
  }

  private static func number<N: LosslessStringConvertible & Comparable>(
    of option: String, _ rest: inout ArraySlice<String>, from least: N
  ) throws -> N {
    let text = try value(of: option, &rest)
    guard let number = N(text), number >= least else {
      throw UsageError(text: "\(option): not a number from \(least): \(text)")
    }
    return number
  }

  struct Help: Error {}
  struct UsageError: Error { let text: String }
}
