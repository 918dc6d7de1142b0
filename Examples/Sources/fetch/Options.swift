import Foundation

struct Options: Sendable {
  var urls: [URL] = []
  var folder = "."
  var jobs = 4
  var retries = 2
  /// The limit for one file with all its attempts, in seconds.
  var fileTime = 300.0

  static let usage = """
    usage: fetch [options] URL ...

      -o FOLDER   where the files go (.); made if it does not exist
      -j N        how many at once (4)
      -r N        how many further attempts a file gets (2)
      -t S        seconds for one file with all its attempts (300)

    A file appears under its name when it is complete. Exit status: 0 all files exist; 1 some do not;
    2 wrong usage; 128 + N ended by signal N.
    """

  struct UsageError: Error { let text: String }

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      func number<N: LosslessStringConvertible & Comparable>(from least: N) throws -> N {
        guard let number = rest.popFirst().flatMap({ N($0) }), number >= least else {
          throw UsageError(text: "\(argument) needs a number from \(least)")
        }
        return number
      }
      switch argument {
      case "-o": folder = rest.popFirst() ?? folder
      case "-j": jobs = try number(from: 1)
      case "-r": retries = try number(from: 0)
      case "-t": fileTime = try number(from: 0)
      default:
        guard let url = URL(string: argument), url.scheme != nil, url.host != nil else {
          throw UsageError(text: "neither an option nor a URL: \(argument)")
        }
        urls.append(url)
      }
    }
    if urls.isEmpty { throw UsageError(text: "no URL") }
  }
}
