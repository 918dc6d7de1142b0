import Foundation

/// The properties of the process's two output streams. Tests can create them without a terminal.
public struct Terminal: Equatable, Sendable {
  /// Whether the report is written to a terminal.
  public var outputIsTerminal: Bool
  /// Whether progress may be drawn on standard error.
  public var errorIsTerminal: Bool
  /// Whether `NO_COLOR` is set and not empty (no-color.org).
  public var noColor: Bool
  /// Whether `TERM` is `dumb`. On such a terminal, escape sequences would appear as text.
  public var isDumb: Bool

  /// Creates a description from its parts.
  public init(outputIsTerminal: Bool, errorIsTerminal: Bool, noColor: Bool, isDumb: Bool) {
    self.outputIsTerminal = outputIsTerminal
    self.errorIsTerminal = errorIsTerminal
    self.noColor = noColor
    self.isDumb = isDumb
  }

  /// Returns the properties of this process.
  public static func current() -> Terminal {
    let environment = ProcessInfo.processInfo.environment
    return Terminal(
      outputIsTerminal: isatty(STDOUT_FILENO) == 1,
      errorIsTerminal: isatty(STDERR_FILENO) == 1,
      noColor: !(environment["NO_COLOR"] ?? "").isEmpty,
      isDumb: environment["TERM"] == "dumb")
  }

  /// Whether the report is colored. An explicit option overrides the terminal's properties.
  public func usesColor(_ choice: Arguments.ColorChoice) -> Bool {
    switch choice {
    case .always: true
    case .never: false
    case .auto: outputIsTerminal && !noColor && !isDumb
    }
  }

  /// Whether standard error can show a line that is rewritten.
  public var rewritesProgress: Bool { errorIsTerminal && !isDumb }
}
