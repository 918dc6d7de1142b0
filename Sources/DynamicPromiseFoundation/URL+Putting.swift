import Foundation

extension URL {
  /// Moves this file to `destination`, where it replaces a file or a link. Throwing, it has left alone what
  /// was there.
  ///
  /// The way from one file system to another is a copy, which may end halfway: so it leads to a name beside
  /// the destination, and what is complete there takes the place at once.
  package func put(
    at destination: URL, moving move: (URL, URL) throws -> Void = FileManager.default.moveItem(at:to:)
  ) throws {
    try Self.replace(destination) { try move(self, $0) }
  }

  /// Puts the file that `make` makes, with the name that it is told, in the place of `destination`.
  fileprivate static func replace(_ destination: URL, by make: (URL) throws -> Void) throws {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: destination.path, isDirectory: &isFolder),
      isFolder.boolValue
    {
      throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: destination.path])
    }
    // Not made from the destination's name, which may be as long as names can be.
    let beside = destination.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString)")
    do {
      try make(beside)
      // Foundation's own `replaceItemAt` wants a file to replace, and its `moveItem` wants none.
      if rename(beside.path, destination.path) != 0 {
        throw POSIXError(
          POSIXError.Code(rawValue: errno) ?? .EIO, userInfo: [NSFilePathErrorKey: destination.path])
      }
    } catch {
      try? FileManager.default.removeItem(at: beside)
      throw error
    }
  }
}

extension Data {
  /// Writes this to `destination`, where it replaces a file or a link, at once. Throwing, it has left alone
  /// what was there.
  func put(at destination: URL) throws {
    try URL.replace(destination) { try write(to: $0) }
  }
}
