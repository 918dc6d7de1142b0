import Foundation

/// A terminal without a user, for tests of the output on a terminal.
final class PseudoTerminal {
  /// The side that a process uses as its terminal.
  let slave: FileHandle
  private let master: Int32

  init() throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    guard openpty(&master, &slave, nil, nil, nil) == 0 else { throw POSIXError(.ENOTTY) }
    (self.master, self.slave) = (master, FileHandle(fileDescriptor: slave, closeOnDealloc: true))
  }

  deinit { close(master) }

  /// Reads until `text` has been drawn. Returns `false` if that takes too long.
  func waits(for text: String, seconds: Double) -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    var seen = ""
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !seen.contains(text) {
      let left = deadline.timeIntervalSinceNow
      var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&request, 1, Int32(left * 1000) + 1) > 0 else { return false }
      let count = read(master, &buffer, buffer.count)
      guard count > 0 else { return false }
      seen += String(decoding: buffer[..<count], as: UTF8.self)
    }
    return true
  }
}
