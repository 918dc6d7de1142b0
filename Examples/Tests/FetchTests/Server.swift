// An unreliable server on the loopback interface.

import Foundation

/// The time in seconds after which an operation counts as hanging.
let patience = 60.0

/// An event. A wait for the event blocks the test's thread.
final class Event: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func signal() { semaphore.signal() }
  func wait() -> Bool { semaphore.wait(timeout: .now() + patience) == .success }
}

/// Answers one request per connection, each on a separate thread. Runs until the test process ends.
final class Server: @unchecked Sendable {
  /// A request for `/slow` has arrived.
  let arrived = Event()
  /// The client of a slow answer has disconnected.
  let hungUp = Event()

  private let port: UInt16
  private let lock = NSLock()
  private var visits: [String: Int] = [:]

  func visits(of path: String) -> Int { lock.withLock { visits["/" + path] ?? 0 } }

  func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

  init() throws {
    #if canImport(Darwin)
      let listener = socket(AF_INET, SOCK_STREAM, 0)
    #else
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
    signal(SIGPIPE, SIG_IGN)
    Thread { [self] in
      while true {
        let client = FileHandle(fileDescriptor: accept(listener, nil, nil), closeOnDealloc: true)
        Thread { [self] in try? serve(client) }.start()
      }
    }.start()
  }

  private func serve(_ client: FileHandle) throws {
    var head = Data()
    while head.range(of: Data("\r\n\r\n".utf8)) == nil { head += client.availableData }
    let path = String(String(decoding: head, as: UTF8.self).split(separator: " ")[1])
    let visit = lock.withLock {
      visits[path, default: 0] += 1
      return visits[path]!
    }
    func answer(_ status: String, _ body: Data = Data(), _ fields: String = "", length: Int? = nil) throws {
      let head =
        "HTTP/1.1 \(status)\r\nContent-Length: \(length ?? body.count)\r\n\(fields)Connection: close\r\n\r\n"
      try client.write(contentsOf: Data(head.utf8) + body)
    }
    switch path {
    case "/small": try answer("200 OK", Data("small".utf8))
    case "/big": try answer("200 OK", Data(repeating: 7, count: 500_000))
    case "/moved": try answer("302 Found", Data(), "Location: /small\r\n")
    case "/flaky": try visit < 3 ? answer("503 Busy") : answer("200 OK", Data("at last".utf8))
    case "/broken": try answer("500 Broken")
    case "/truncated": try answer("200 OK", Data(repeating: 7, count: 5000), length: 10_000)
    case "/slow":
      try answer("200 OK", Data(repeating: 7, count: 5000), length: 10_000)
      arrived.signal()
      while let data = try client.read(upToCount: 1), !data.isEmpty {}
      hungUp.signal()
    default: try answer("404 Not Found")
    }
  }
}
