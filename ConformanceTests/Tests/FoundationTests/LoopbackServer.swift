// An HTTP server on 127.0.0.1, which observes transfers and their cancellation from the other end.

import Foundation
import TestSupport
import XCTest

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Answers one request per connection, each on its own thread. Runs until the test process ends.
final class LoopbackServer: Sendable {
  /// An address where no server listens.
  static let nowhere = URL(string: "http://127.0.0.1:1/")!

  /// A request for `/silent` has arrived. The server never answers it.
  let waiting = Event()
  /// The client of a silent request has hung up.
  let hungUp = Event()
  private let port: UInt16

  init() throws {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let listener = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    port = UInt16(bigEndian: address.sin_port)
    Thread { [waiting, hungUp] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        Thread {
          Connection(socket: client, waiting: waiting, hungUp: hungUp).serve()
          _ = close(client)
        }.start()
      }
    }.start()
  }

  func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)/\(path)")! }
}

private struct Connection {
  let socket: Int32
  let waiting: Event
  let hungUp: Event

  func serve() {
    guard let (head, body) = request() else { return }
    switch head.split(separator: " ").dropFirst().first {
    case "/hello": answer("200 OK", Data("hello".utf8))
    case "/echo": answer("200 OK", Data((head.prefix { $0 != " " } + ": ").utf8) + body)
    case "/user": answer("200 OK", Data(#"{"name":"Ann","age":7}"#.utf8))
    case "/big": answer("200 OK", Data(repeating: 7, count: 300_000))
    case "/unsized": answer("200 OK", Data(repeating: 7, count: 300_000), isSized: false)
    case "/truncated":
      answer("200 OK", Data(repeating: 7, count: 100), "Content-Length: 200\r\n", isSized: false)
    case "/private":
      if head.contains("Authorization:") { return answer("200 OK", Data("hello".utf8)) }
      answer("401 Unauthorized", Data("denied".utf8), "WWW-Authenticate: Basic realm=\"x\"\r\n")
    case "/moved": answer("302 Found", Data(), "Location: /big\r\n")
    case "/silent":
      waiting.signal()
      if receive() == nil { hungUp.signal() }
    default: answer("404 Not Found", Data("no such thing".utf8))
    }
  }

  private func request() -> (head: String, body: Data)? {
    var received = Data()
    let end = Data("\r\n\r\n".utf8)
    while received.range(of: end) == nil {
      guard let more = receive() else { return nil }
      received += more
    }
    let split = received.range(of: end)!
    let head = String(decoding: received[..<split.lowerBound], as: UTF8.self)
    var body = Data(received[split.upperBound...])
    let length = head.firstMatch(of: /(?i)content-length: *([0-9]+)/).flatMap { Int($0.1) } ?? 0
    while body.count < length {
      guard let more = receive() else { return nil }
      body += more
    }
    return (head, body)
  }

  /// The next bytes, or `nil` if the client has hung up.
  private func receive() -> Data? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(socket, &buffer, buffer.count, 0)
    return count > 0 ? Data(buffer[..<count]) : nil
  }

  private func answer(_ status: String, _ body: Data, _ fields: String = "", isSized: Bool = true) {
    let length = isSized ? "Content-Length: \(body.count)\r\n" : ""
    let head = "HTTP/1.1 \(status)\r\n\(length)\(fields)Connection: close\r\n\r\n"
    var bytes = [UInt8](Data(head.utf8) + body)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Self.noSignal) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  #if canImport(Darwin)
    private static let noSignal: Int32 = 0
  #else
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #endif
}
