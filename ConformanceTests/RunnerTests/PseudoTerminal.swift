import Foundation

/// A terminal without a user, for tests of the output on a terminal.
final class PseudoTerminal {
  /// The side that a process uses as its terminal.
  let slave: FileHandle
  private let master: Int32

  init() throws {
    let calls = try Calls()
    master = calls.openMaster(O_RDWR | O_NOCTTY)
    guard master >= 0, calls.grant(master) == 0, calls.unlock(master) == 0, let name = calls.name(master)
    else { throw POSIXError(.ENOTTY) }
    let descriptor = open(name, O_RDWR | O_NOCTTY)
    guard descriptor >= 0 else { throw POSIXError(.ENOTTY) }
    slave = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
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

/// The POSIX functions that make a terminal. Every C library has them, but not every Swift overlay exposes
/// them.
private struct Calls {
  let openMaster: @convention(c) (Int32) -> Int32
  let grant: @convention(c) (Int32) -> Int32
  let unlock: @convention(c) (Int32) -> Int32
  let name: @convention(c) (Int32) -> UnsafePointer<CChar>?

  init() throws {
    guard let library = dlopen(nil, RTLD_NOW), let openMaster = dlsym(library, "posix_openpt"),
      let grant = dlsym(library, "grantpt"), let unlock = dlsym(library, "unlockpt"),
      let name = dlsym(library, "ptsname")
    else { throw POSIXError(.ENOSYS) }
    self.openMaster = unsafeBitCast(openMaster, to: (@convention(c) (Int32) -> Int32).self)
    self.grant = unsafeBitCast(grant, to: (@convention(c) (Int32) -> Int32).self)
    self.unlock = unsafeBitCast(unlock, to: (@convention(c) (Int32) -> Int32).self)
    self.name = unsafeBitCast(name, to: (@convention(c) (Int32) -> UnsafePointer<CChar>?).self)
  }
}
