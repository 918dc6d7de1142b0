import Foundation

/// Shows progress on standard error, separate from the tables.
enum Note {
  /// Shows a line. On a terminal, the new line replaces the previous line.
  static func show(_ text: String) {
    let line = isatty(2) == 1 ? "\r\u{1b}[K\(text)" : text + "\n"
    FileHandle.standardError.write(Data(line.utf8))
  }

  /// Removes the last shown line from a terminal.
  static func end() {
    if isatty(2) == 1 { FileHandle.standardError.write(Data("\r\u{1b}[K".utf8)) }
  }
}
