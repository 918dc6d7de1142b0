import RunnerKit
import XCTest

/// The conditions for a colored report and for the display of progress.
final class TerminalTests: XCTestCase {
  func testColorAndProgressDependOnTheStreams() {
    let streams: [(name: String, change: (inout Terminal) -> Void, hasColor: Bool, rewrites: Bool)] = [
      ("a screen", { _ in }, true, true), ("a pipe", { $0.outputIsTerminal = false }, false, true),
      ("no color", { $0.noColor = true }, false, true), ("dumb", { $0.isDumb = true }, false, false),
      ("a log", { $0.errorIsTerminal = false }, true, false),
    ]
    for (name, change, hasColor, rewrites) in streams {
      var terminal = Terminal(outputIsTerminal: true, errorIsTerminal: true, noColor: false, isDumb: false)
      change(&terminal)
      XCTAssertEqual(terminal.usesColor(.auto), hasColor, name)
      XCTAssertTrue(terminal.usesColor(.always), name)
      XCTAssertFalse(terminal.usesColor(.never), name)
      XCTAssertEqual(terminal.rewritesProgress, rewrites, name)
    }
  }
}
