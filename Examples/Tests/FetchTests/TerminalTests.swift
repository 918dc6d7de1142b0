import Foundation
import XCTest

/// Tests of the output on a terminal, with a pseudoterminal pair.
final class TerminalTests: XCTestCase {
  func testBars() throws {
    let server = try Server()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (main, end) = try pseudoTerminal()
    let process = Process.fetch(["-o", folder.path, server.url("held"), server.url("small")])
    process.standardError = FileHandle(fileDescriptor: end)
    try process.run()
    close(end)
    XCTAssertTrue(server.arrived.wait())
    server.release.signal()
    var seen = Data()
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(main, &buffer, buffer.count)
      guard count > 0 else { break }
      seen += buffer[..<count]
    }
    close(main)
    process.waitUntilExit()
    XCTAssertEqual(process.terminationStatus, 0)
    let text = String(decoding: seen, as: UTF8.self)
    XCTAssertTrue(text.contains("held                         [........................] 0 B"), text)
    XCTAssertTrue(text.contains("\u{1B}[1A\u{1B}[J"), "the bars are redrawn")
    let last = text.components(separatedBy: "\u{1B}[J").last ?? ""
    XCTAssertTrue(last.contains("2 of 2 files"), "the bars have disappeared: \(last)")
  }

  private func pseudoTerminal() throws -> (main: Int32, end: Int32) {
    let main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    #if canImport(Darwin)
      guard main >= 0, grantpt(main) == 0, unlockpt(main) == 0 else { throw POSIXError(.ENODEV) }
      let name = String(cString: ptsname(main))
    #else
      // The numbers of `TIOCSPTLCK` and `TIOCGPTN`, because Swift does not import these macros.
      var (number, isLocked): (Int32, Int32) = (-1, 0)
      guard main >= 0, ioctl(main, 0x4004_5431, &isLocked) == 0, ioctl(main, 0x8004_5430, &number) == 0 else {
        throw POSIXError(.ENODEV)
      }
      let name = "/dev/pts/\(number)"
    #endif
    return (main, open(name, O_RDWR | O_NOCTTY))
  }
}
