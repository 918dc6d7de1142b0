import PromisesAPlusSuite
import XCTest

@testable import conformance

/// The command line: every option in both spellings, and error messages that name the invalid argument.
final class ArgumentsTests: XCTestCase {
  private func parse(_ words: [String]) throws -> Arguments { try Arguments(parsing: words) }

  private func assertRefused(_ words: [String], _ expected: String, line: UInt = #line) {
    XCTAssertThrowsError(try parse(words), line: line) { XCTAssertEqual("\($0)", expected, line: line) }
  }

  func testEveryOption() throws {
    let arguments = try parse([
      "--context", "serial", "--context=main", "--clause", "2.3.3", "--clause=2.2", "--case", "2.1.2.1/1",
      "--case=a=b", "--format", "junit", "--deadline=2.5", "--help",
    ])
    XCTAssertEqual(arguments.contexts, ["serial", "main"])
    XCTAssertEqual(arguments.clauses, ["2.3.3", "2.2"])
    XCTAssertEqual(arguments.cases, ["2.1.2.1/1", "a=b"])
    XCTAssertEqual(arguments.format, .junit)
    XCTAssertEqual(arguments.deadline, 2.5)
    XCTAssertTrue(arguments.help)
    XCTAssertTrue(try parse(["-h"]).help)
  }

  func testRandomProgramsRunAloneOrAfterEverything() throws {
    func runs(_ words: String...) throws -> [[Int]] {
      try parse(words).programRuns.map { [$0.count, $0.threads] }
    }
    XCTAssertEqual(try runs(), [[10_000, 1], [1_000, 3]])
    XCTAssertEqual(try runs("--format=html"), [[10_000, 1], [1_000, 3]])
    XCTAssertEqual(try runs("--reference=node"), [[5_000, 1]])
    XCTAssertEqual(try runs("--programs=9", "--threads=3"), [[9, 3]])
    XCTAssertEqual(try runs("--format=junit", "--programs=9"), [[9, 1]])
    for words in ["--format=junit", "--case=1", "--context=main", "--clause=2"] {
      XCTAssertEqual(try runs(words), [], words)
    }
    let part = try parse(["--programs=9", "--seed=18446744073709551615", "--deadline=3"]).programRuns[0]
    XCTAssertEqual(part.seed, .max)
    XCTAssertEqual(part.deadline, 3)
  }

  func testWhatIsRefused() {
    assertRefused(["--fast-forward"], "unknown option '--fast-forward'")
    assertRefused(["-x"], "unknown option '-x'")
    assertRefused(["--=x"], "unknown option '--'")
    for word in ["2.3.3", "", "-"] {
      assertRefused([word], "unexpected argument '\(word)'; options start with '--'")
    }
    for words in [["--context"], ["--context", "--help"], ["--context="]] {
      assertRefused(words, "--context needs a value")
    }
    assertRefused(["--help=yes"], "--help takes no value")
    for (option, takes, values) in [
      ("programs", "a whole number above 0", ["0", "-1", "x"]), ("seed", "a whole number from 0", ["-1"]),
      ("threads", "a whole number from 1 to 64", ["0", "65", "x"]),
      ("deadline", "a number of seconds above 0", ["0", "-1", "nan", "inf", "soon"]),
      ("format", "text, junit or html", ["xml", "tap"]),
    ] {
      for value in values {
        assertRefused(["--\(option)=\(value)"], "--\(option) takes \(takes), not '\(value)'")
      }
    }
    for word in ["--seed=1", "--threads=2"] {
      assertRefused([word], "--seed and --threads require --programs")
    }
    for word in ["--case=1", "--context=main", "--clause=2"] {
      assertRefused(
        [word, "--programs=1"], "--programs cannot be combined with options that choose cases")
    }
  }

  func testTheHelpTextNamesEveryOption() {
    for option in Arguments.Option.allCases {
      XCTAssertTrue(Arguments.helpText.contains("  \(option.name)"), "\(option) is missing in the help text")
    }
    for line in Arguments.helpText.split(separator: "\n") {
      XCTAssertLessThanOrEqual(line.count, 80, "too long for a terminal: \(line)")
    }
  }
}
