import Foundation

/// A place in a text file, for messages.
struct Place: CustomStringConvertible {
  let file: String
  let line: Int
  var description: String { "\(file):\(line)" }
}

/// A test that a clause names as its proof.
enum TestReference {
  /// The conformance suite's cases of a clause.
  case suite(clause: String)
  /// A method of an XCTest class.
  case method(class: String, name: String)

  init?(_ text: String) {
    let number = /suite ([0-9]+(?:\.[0-9]+)+)/
    let method = /([A-Z]\w*)\.(test\w+)/
    if let match = text.wholeMatch(of: number) {
      self = .suite(clause: String(match.1))
    } else if let match = text.wholeMatch(of: method) {
      self = .method(class: String(match.1), name: String(match.2))
    } else {
      return nil
    }
  }
}

/// One numbered clause of the Spec.
struct SpecClause {
  let number: String
  let place: Place
  var references: [TestReference] = []
  var standing = Standing.unfinished

  enum Standing { case unfinished, tested, planned, inexpressible }
}

/// The clauses of one Spec file, and the problems with its form.
struct SpecFile {
  private(set) var clauses: [SpecClause] = []
  private(set) var problems: [String] = []

  /// Reads the text of a Spec file; `name` is for messages.
  init(name: String, text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var index = 0
    while index < lines.count {
      let line = lines[index]
      let place = Place(file: name, line: index + 1)
      index += 1
      if line.hasPrefix("### ") {
        if let number = Self.number(ofHeading: line) {
          clauses.append(SpecClause(number: number, place: place))
        } else {
          problems.append("\(place): the heading has no clause number: \(line)")
        }
      } else if Self.endings.contains(where: { line.hasPrefix($0.mark) }) {
        var paragraph = String(line)
        while index < lines.count, !lines[index].isEmpty {
          paragraph += " " + lines[index]
          index += 1
        }
        finishClause(with: paragraph, at: place)
      }
    }
    for clause in clauses where clause.standing == .unfinished {
      problems.append("\(clause.place): clause \(clause.number) names no test and does not say why")
    }
  }

  /// The ways in which a clause may end.
  private static let endings: [(mark: String, standing: SpecClause.Standing)] = [
    ("Tests:", .tested), ("Planned:", .planned), ("Not expressible:", .inexpressible),
  ]

  private static func number(ofHeading line: Substring) -> String? {
    line.wholeMatch(of: /### ((?:[A-Z])?[0-9]+(?:\.[0-9]+)+) \S.*/).map { String($0.1) }
  }

  private mutating func finishClause(with paragraph: String, at place: Place) {
    guard let last = clauses.indices.last else {
      problems.append("\(place): this belongs to no clause: \(paragraph)")
      return
    }
    guard let ending = Self.endings.first(where: { paragraph.hasPrefix($0.mark) }) else { return }
    if clauses[last].standing != .unfinished {
      problems.append("\(place): clause \(clauses[last].number) is finished twice")
    }
    clauses[last].standing = ending.standing
    guard ending.standing == .tested else { return }
    let names = paragraph.dropFirst(ending.mark.count).split(separator: ",")
    for name in names.map({ $0.trimmingCharacters(in: .whitespaces) }) {
      if let reference = TestReference(name) {
        clauses[last].references.append(reference)
      } else {
        problems.append(
          "\(place): clause \(clauses[last].number) names '\(name)', which is not a test's name")
      }
    }
  }
}
