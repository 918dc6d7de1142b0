import Foundation

extension URL {
  /// Moves this file to `destination`, where it replaces a file or a link. If this throws, the destination is
  /// as it was before.
  ///
  /// From one file system to another a file is copied, and a copy may fail halfway. So it is made beside the
  /// destination, and takes the destination's place at once when it is complete.
  package func put(
    at destination: URL, moving move: (URL, URL) throws -> Void = FileManager.default.moveItem(at:to:)
  ) throws {
    try Self.replace(destination) { try move(self, $0) }
  }

  /// Replaces `destination` by the file that `make` makes at the place that it is given.
  fileprivate static func replace(_ destination: URL, by make: (URL) throws -> Void) throws {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: destination.path, isDirectory: &isFolder),
      isFolder.boolValue
    {
      throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: destination.path])
    }
    // A new name, for the destination's may be as long as names can be.
    let beside = destination.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString)")
    do {
      try make(beside)
      // Foundation's `replaceItemAt` needs an existing file at the destination, and its `moveItem` none.
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
  /// Writes this to `destination`, where it replaces a file or a link, at once. If this throws, the
  /// destination is as it was before.
  func put(at destination: URL) throws {
    try URL.replace(destination) { try write(to: $0) }
  }
}
