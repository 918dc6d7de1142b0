import Foundation

/// Progress, on standard error, separate from the tables.
enum Note {
  /// A line; at a terminal it takes the place of the one before.
  static func show(_ text: String) {
    let line = isatty(2) == 1 ? "\r\u{1b}[K\(text)" : text + "\n"
    FileHandle.standardError.write(Data(line.utf8))
  }

  /// The end of what `show` has shown.
  static func end() {
    if isatty(2) == 1 { FileHandle.standardError.write(Data("\r\u{1b}[K".utf8)) }
  }
}
