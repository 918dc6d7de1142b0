import Foundation

/// A file that is being written in the temporary folder, and that only its user can read. ``discard()`` and
/// `deinit` remove the file, unless it was moved.
final class PartialFile: Sendable {
  let url: URL
  private let handle: Locked<FileHandle?>

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).part")
    try url.createPrivateFile()
    handle = Locked(try FileHandle(forWritingTo: url))
  }

  deinit { discard() }

  func append(_ data: Data) throws { try handle.with { try $0?.write(contentsOf: data) } }

  /// Empties the file.
  func restart() throws { try handle.with { try $0?.truncate(atOffset: 0) } }

  /// Closes the file. Returns `false` if the file is already closed or discarded.
  func close() -> Bool {
    handle.with { handle in
      defer { handle = nil }
      try? handle?.close()
      return handle != nil
    }
  }

  func discard() {
    _ = close()
    try? FileManager.default.removeItem(at: url)
  }
}
