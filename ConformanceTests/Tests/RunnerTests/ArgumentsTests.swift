import PromisesAPlusSuite
import RunnerKit
import XCTest

/// The command line: every option in both spellings, and error messages that name the invalid argument.
final class ArgumentsTests: XCTestCase {
  private func assertRefused(
    _ words: [String], _ expected: String, file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertThrowsError(try Arguments.parse(words), file: file, line: line) { error in
      XCTAssertEqual("\(error)", expected, file: file, line: line)
    }
  }

  func testNothingMeansEverythingAsText() throws {
    let arguments = try Arguments.parse([])
    XCTAssertEqual(arguments, Arguments())
    XCTAssertEqual(arguments.format, .text)
    XCTAssertEqual(arguments.color, .auto)
    XCTAssertEqual(arguments.repeats, 1)
    XCTAssertEqual(arguments.deadline, 20)
    XCTAssertTrue(arguments.contexts.isEmpty)
    XCTAssertTrue(arguments.choosesEveryCase)
  }

  func testEveryOption() throws {
    let arguments = try Arguments.parse([
      "--context", "serial", "--context=main", "--clause", "2.3.3", "--clause=2.2", "--case", "2.1.2.1/1",
      "--repeat", "1000000", "--format", "junit", "--deadline=2.5", "--color", "never", "--help",
    ])
    XCTAssertEqual(arguments.contexts, ["serial", "main"])
    XCTAssertEqual(arguments.clauses, ["2.3.3", "2.2"])
    XCTAssertEqual(arguments.cases, ["2.1.2.1/1"])
    XCTAssertEqual(arguments.repeats, 1_000_000)
    XCTAssertEqual(arguments.format, .junit)
    XCTAssertEqual(arguments.deadline, 2.5)
    XCTAssertEqual(arguments.color, .never)
    XCTAssertTrue(arguments.help)
    XCTAssertTrue(try Arguments.parse(["-h"]).help)
    XCTAssertTrue(try Arguments.parse(["--verbose"]).verbose)
    XCTAssertTrue(try Arguments.parse(["--list"]).list)
  }

  func testRandomPrograms() throws {
    let whole = try Arguments.parse(["--programs", "7"])
    XCTAssertFalse(whole.runsCases)
    XCTAssertEqual(whole.programRun?.count, 7)
    XCTAssertEqual(whole.programRun?.seed, 0)
    XCTAssertEqual(whole.programRun?.shard, .whole)
    let part = try Arguments.parse(["--programs=9", "--seed=18446744073709551615", "--shard", "2/3"])
    XCTAssertEqual(part.programRun?.seed, .max)
    XCTAssertEqual(part.programRun?.shard, ProgramRun.Shard(2, of: 3))
    XCTAssertEqual(try Arguments.parse(["--programs=9", "--deadline=3"]).programRun?.deadline, 3)
    XCTAssertEqual(try Arguments.parse(["--programs=9", "--threads=3"]).programRun?.threads, 3)
    XCTAssertEqual(try Arguments.parse([]).programRun?.count, 100_000)
    XCTAssertEqual(try Arguments.parse([]).programRun?.threads, 1)
    XCTAssertEqual(try Arguments.parse(["--format=html"]).programRun?.count, 100_000)
    XCTAssertEqual(try Arguments.parse(["--reference=node"]).programRun?.count, 5_000)
    XCTAssertNil(try Arguments.parse(["--format=tap"]).programRun)
    XCTAssertEqual(try Arguments.parse(["--format=tap", "--programs=9"]).programRun?.count, 9)
    for words in [["--case=1"], ["--context=main"], ["--clause=2"], ["--repeat=2"]] {
      let arguments = try Arguments.parse(words)
      XCTAssertNil(arguments.programRun, "\(words)")
      XCTAssertTrue(arguments.runsCases)
      assertRefused(
        words + ["--programs=1"],
        "--programs cannot be combined with options that choose or list cases")
    }
    for text in ["0", "-1", "x"] {
      assertRefused(["--programs=\(text)"], "--programs takes a whole number above 0, not '\(text)'")
    }
    assertRefused(
      ["--programs=1", "--format=badge"], "--format badge counts cases, and --programs runs none")
    assertRefused(["--programs=1", "--seed=-1"], "--seed takes a whole number from 0, not '-1'")
    for text in ["0/2", "3/2", "1", "1/2/3", "/", "a/b"] {
      assertRefused(["--programs=1", "--shard=\(text)"], "--shard takes a part such as 1/4, not '\(text)'")
    }
    for word in ["--seed=1", "--shard=1/2", "--threads=2"] {
      assertRefused([word], "--seed, --shard and --threads require --programs")
    }
    for text in ["0", "65", "x"] {
      assertRefused(
        ["--programs=1", "--threads=\(text)"],
        "--threads takes a whole number from 1 to 64, not '\(text)'")
    }
  }

  func testUnknownOptionsAreNamedAndSlipsGetASuggestion() {
    assertRefused(["--contxt", "main"], "unknown option '--contxt'; did you mean '--context'?")
    assertRefused(["--fast-forward"], "unknown option '--fast-forward'")
    assertRefused(["-x"], "unknown option '-x'")
    assertRefused(["--=x"], "unknown option '--'")
    for word in ["2.3.3", "", "-"] {
      assertRefused([word], "unexpected argument '\(word)'; options start with '--'")
    }
  }

  func testMissingAndSuperfluousValues() {
    for words in [["--context"], ["--context", "--list"], ["--context="]] {
      assertRefused(words, "--context needs a value")
    }
    assertRefused(["--list=yes"], "--list takes no value")
    assertRefused(["--help="], "--help takes no value")
  }

  func testImpossibleValues() {
    for text in ["0", "-3", "many", "1.5", "1000001", "9223372036854775807", "99999999999999999999"] {
      assertRefused(["--repeat=\(text)"], "--repeat takes a whole number from 1 to 1000000, not '\(text)'")
    }
    for text in ["0", "-1", "nan", "inf", "soon"] {
      assertRefused(["--deadline=\(text)"], "--deadline takes a number of seconds above 0, not '\(text)'")
    }
    for text in ["2.", ".2", "2..3", "Two", "2.3a", "-2", "2.+3"] {
      assertRefused(["--clause=\(text)"], "--clause takes a clause number such as 2.3.3, not '\(text)'")
    }
    for text in ["xml", "jsno"] {
      assertRefused(["--format", text], "--format takes text, tap, json, junit, html, badge, not '\(text)'")
    }
    assertRefused(
      ["--color", "alway"], "--color takes auto, always, never, not 'alway'; did you mean 'always'?")
    assertRefused(["--list", "--format=json"], "--list prints text only")
    assertRefused(
      ["--verbose", "--format=tap"],
      "--verbose needs the text format; the other formats always list every case")
  }

  func testAnEqualsSignMayBePartOfAValue() throws {
    XCTAssertEqual(try Arguments.parse(["--case=a=b", "--case", "c=d"]).cases, ["a=b", "c=d"])
  }

  func testTheHelpTextNamesEveryOption() {
    for option in Arguments.Option.allCases {
      XCTAssertTrue(Help.text.contains("  \(option.name)"), "\(option) is missing in the help text")
    }
    for line in Help.text.split(separator: "\n") {
      XCTAssertLessThanOrEqual(line.count, 80, "too long for a terminal: \(line)")
    }
  }
}
