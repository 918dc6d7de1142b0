import Foundation
import PromisesAPlusSuite
import XCTest

@testable import conformance

/// The path from arguments to a plan, and from a plan to a report and an exit status.
final class DriverTests: XCTestCase {
  /// An implementation whose promises never settle and never call handlers.
  private struct Inert: PromiseAdapter {
    var capabilities: Capabilities = .all

    func pending() -> Deferred<Int> {
      Deferred(promise: 0, resolve: { _ in }, fulfill: { _ in }, reject: { _ in })
    }
    func then(_ promise: Int, _ onFulfilled: Handler?, _ onRejected: Handler?) -> Int { promise }
    func on(_ context: SteppedContext) -> Inert? { self }
  }

  private final class Output: Sendable {
    private let parts = Locked<[String]>([])

    var written: [String] { parts.value }

    @Sendable func write(_ text: String) { parts.withLock { $0.append(text) } }
  }

  private static let subjects = [
    Subject(name: "first", summary: "can do nothing") { Inert(capabilities: []) },
    Subject(name: "second", summary: "claims to do everything") { Inert(capabilities: .all) },
    Subject(
      name: "third", summary: "as the second, and says so",
      deviations: [Deviation("2.1.2.1/1", reason: "nothing ever happens")]
    ) { Inert(capabilities: .all) },
  ]
  private static let screen = Terminal(
    outputIsTerminal: true, errorIsTerminal: true, noColor: false, isDumb: false)
  private static let pipe = Terminal(
    outputIsTerminal: false, errorIsTerminal: false, noColor: false, isDumb: false)

  private func plan(_ words: [String]) throws -> Plan {
    try Plan(try Arguments(parsing: words), subjects: Self.subjects, cases: ConformanceSuite.cases)
  }

  private func driver(
    _ arguments: Arguments, _ terminal: Terminal, _ output: Output, _ progress: Output
  ) throws -> Driver {
    Driver(
      try Plan(arguments, subjects: Self.subjects, cases: ConformanceSuite.cases), arguments,
      terminal: terminal, write: output.write, writeProgress: progress.write)
  }

  private func run(
    _ words: [String], terminal: Terminal = DriverTests.pipe, progress: Output = Output()
  ) throws -> (status: Int32, text: String) {
    let output = Output()
    let arguments = try Arguments(parsing: words + ["--deadline=0.05"])
    let status = try driver(arguments, terminal, output, progress).run()
    XCTAssertEqual(output.written.count, 1, "the report is written once")
    return (status, output.written.joined())
  }

  // MARK: Plans

  func testASelectionKeepsTheOrderOfTheMatrix() throws {
    let plan = try plan([
      "--context=third", "--context=first", "--case=872", "--case=87", "--case=2.3.1+self", "--clause=2.1.3",
    ])
    XCTAssertEqual(plan.subjects.map(\.name), ["first", "third"])
    let clause = ConformanceSuite.cases(matching: "2.1.3").map(\.id)
    XCTAssertEqual(plan.cases.map(\.id), clause + ["2.2.6.1/13", "2.3.1+self", "2.3.4/42"])
  }

  func testWhatDoesNotExistIsNamed() {
    func assertRefused(_ words: [String], _ expected: String, line: UInt = #line) {
      XCTAssertThrowsError(try plan(words), line: line) { XCTAssertEqual("\($0)", expected, line: line) }
    }
    assertRefused(
      ["--context=secnod"],
      "no context is called 'secnod' (known: first, second, third)")
    assertRefused(["--clause=2.9"], "no case belongs to clause 2.9")
    assertRefused(["--case=873"], "no case is called '873'")
    assertRefused(["--clause=2.1", "--case=nope"], "no case is called 'nope'")
  }

  // MARK: Runs

  func testTheStatusIsZeroOnlyWhereAllEndedAsDeclared() throws {
    let runs: [(words: [String], status: Int32)] = [
      (["--context=second", "--clause=2.2.5"], 0),  // inexpressible
      (["--context=second", "--case=1"], 1),  // fails
      (["--context=third", "--case=1"], 0),  // deviates as declared
      (["--context=second", "--context=third", "--case=1"], 1),
    ]
    for (words, status) in runs {
      let result = try run(words)
      XCTAssertEqual(result.status, status, result.text)
    }
  }

  func testEveryFormatIsWritten() throws {
    let beginnings = ["junit": "<?xml ", "text": "  1  second", "html": "<!DOCTYPE html>"]
    for (format, beginning) in beginnings {
      let result = try run(["--context=second", "--clause=2.2.5", "--format", format])
      XCTAssertTrue(result.text.hasPrefix(beginning), result.text)
    }
  }

  func testColoursFollowTheTerminal() throws {
    let words = ["--context=second", "--clause=2.2.5"]
    XCTAssertTrue(try run(words, terminal: Self.screen).text.contains("\u{1B}["))
    XCTAssertFalse(try run(words, terminal: Self.pipe).text.contains("\u{1B}["))
  }

  func testProgressIsDrawnOnATerminalAndWiped() throws {
    let progress = Output()
    _ = try run(["--context=second", "--clause=2.2.5"], terminal: Self.screen, progress: progress)
    let drawn = progress.written
    XCTAssertTrue(drawn.first?.hasPrefix("\r0 % of 4  second  2.2.5/1") ?? false, "\(drawn)")
    XCTAssertTrue(drawn.last?.allSatisfy { $0 == "\r" || $0 == " " } ?? false, "\(drawn)")
  }

  func testElsewhereEachIdIsWrittenBeforeItsCase() throws {
    let progress = Output()
    let words = ["--context=first", "--context=second", "--clause=2.2.5"]
    _ = try run(words, terminal: Self.pipe, progress: progress)
    let ids = "2.2.5/1 2.2.5/2 2.2.5/3 2.2.5/4"
    XCTAssertEqual(progress.written.joined(), "first: \(ids)\nsecond: \(ids)\n")
    XCTAssertEqual(progress.written.count, 9, "one write for each case, and the end of the line")
  }

  func testAnInterruptionReportsOnceWhateverComesAfter() throws {
    let output = Output()
    let arguments = try Arguments(parsing: ["--context=second", "--clause=2.2.5"])
    let driver = try driver(arguments, Self.pipe, output, output)
    XCTAssertEqual(driver.interrupt(), 130)
    XCTAssertNil(driver.interrupt())
    XCTAssertEqual(driver.run(), 130)
    XCTAssertEqual(output.written.count, 1)
    XCTAssertTrue(output.written[0].hasSuffix(": interrupted\n"), output.written[0])
  }

  /// The interrupt arrives after a program has failed, and before its report.
  func testAnInterruptionReportsTheProgramsSoFar() throws {
    let output = Output()
    let arguments = try Arguments(parsing: ["--programs=100"])
    let interrupt = Locked<@Sendable () -> Void> {}
    let driver = Driver(
      try Plan(arguments, subjects: [], cases: []), arguments,
      programs: [
        { recorder in
          let report = ProgramRun(count: 100).run(Inert(), recorder)
          interrupt.value()
          return report
        }
      ],
      terminal: Self.pipe, write: output.write, writeProgress: output.write)
    interrupt.withLock { $0 = { XCTAssertEqual(driver.interrupt(), 130) } }
    XCTAssertEqual(driver.run(), 130)
    let text = output.written.joined()
    XCTAssertTrue(text.hasPrefix("random programs: seed "), text)
    XCTAssertTrue(text.hasSuffix("\ninterrupted\n"), text)
  }
}
