import RunnerKit
import XCTest

/// The conditions for a colored report and for the display of progress.
final class TerminalTests: XCTestCase {
  private let screen = Terminal(outputIsTerminal: true, errorIsTerminal: true, noColor: false, isDumb: false)

  func testAutoColoursATerminalOnly() {
    XCTAssertTrue(screen.usesColor(.auto))
    var pipe = screen
    pipe.outputIsTerminal = false
    XCTAssertFalse(pipe.usesColor(.auto))
    XCTAssertTrue(pipe.rewritesProgress)
  }

  func testNoColorAndDumbTerminalsAreRespected() {
    var plain = screen
    plain.noColor = true
    XCTAssertFalse(plain.usesColor(.auto))
    XCTAssertTrue(plain.usesColor(.always))
    XCTAssertTrue(plain.rewritesProgress)
    var dumb = screen
    dumb.isDumb = true
    XCTAssertFalse(dumb.usesColor(.auto))
    XCTAssertFalse(dumb.rewritesProgress)
  }

  func testNeverAndNoTerminal() {
    XCTAssertFalse(screen.usesColor(.never))
    var log = screen
    log.errorIsTerminal = false
    XCTAssertFalse(log.rewritesProgress)
  }
}
