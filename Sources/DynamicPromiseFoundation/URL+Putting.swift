import Foundation

extension URL {
  /// Moves this file to `destination`, and replaces a file or a link there. A replaced file's mode is kept.
  /// If this throws, the destination is unchanged.
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
      let mode = try mode(replacing: destination, beside)
      try make(beside)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: beside.path)
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

  /// The mode of a file at `destination`, otherwise that of a new file.
  private static func mode(replacing destination: URL, _ new: URL) throws -> Int {
    let old = try? FileManager.default.attributesOfItem(atPath: destination.path)
    if let old, old[.type] as? FileAttributeType == .typeRegular, let mode = old[.posixPermissions] as? Int {
      return mode
    }
    try Data().write(to: new)
    let mode = try FileManager.default.attributesOfItem(atPath: new.path)[.posixPermissions] as? Int
    try FileManager.default.removeItem(at: new)
    return mode ?? 0o600
  }

  /// Makes an empty file that only its user can read.
  func createPrivateFile() throws {
    let isMade = FileManager.default.createFile(
      atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    if !isMade { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
  }
}

extension Data {
  /// Writes this data to `destination` like ``Foundation/URL/put(at:moving:)``.
  func put(at destination: URL) throws {
    try URL.replace(destination) { file in
      try file.createPrivateFile()
      let handle = try FileHandle(forWritingTo: file)
      defer { try? handle.close() }
      try handle.write(contentsOf: self)
    }
  }
}
