import Foundation

extension URL {
  /// Moves this file to `destination`, and replaces a file or a link there. If this throws, the destination
  /// is unchanged.
  ///
  /// The file is first moved beside the destination, and then replaces the destination atomically. A direct
  /// move between file systems is a copy, which may fail halfway.
  package func put(
    at destination: URL, moving move: (URL, URL) throws -> Void = FileManager.default.moveItem(at:to:)
  ) throws {
    try Self.replace(destination) { try move(self, $0) }
  }

  /// Replaces `destination` with the file that `make` creates at the given URL.
  fileprivate static func replace(_ destination: URL, by make: (URL) throws -> Void) throws {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: destination.path, isDirectory: &isFolder),
      isFolder.boolValue
    {
      throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: destination.path])
    }
    // The name is not derived from the destination's name, which may have the maximal length.
    let beside = destination.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString)")
    do {
      try make(beside)
      // `rename` works whether or not the destination exists. Foundation's `replaceItemAt` requires that it
      // exists, and `moveItem` that it does not.
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
  /// Writes this data to `destination` atomically, and replaces a file or a link there. If this throws, the
  /// destination is unchanged.
  func put(at destination: URL) throws {
    try URL.replace(destination) { try write(to: $0) }
  }
}
