import DynamicPromise
import Foundation
import NIOHTTP1

struct Request: Sendable {
  var method: HTTPMethod
  /// The path without its query, split at its slashes and unescaped.
  var path: [String]
  /// The query's items by name. If several items have the same name, the last item is used.
  var query: [String: String]
  var body: Data
  /// The values of the route's `:name` parts.
  var parameters: [String: String] = [:]

  init(_ head: HTTPRequestHead, _ body: Data) {
    let address = URLComponents(string: head.uri)
    method = head.method
    path = (address?.path ?? "").split(separator: "/").map(String.init)
    query = Dictionary(
      (address?.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
    self.body = body
  }

  /// The body, decoded as a `T`. A body that cannot be decoded is the client's error.
  func decoded<T: Decodable>(as type: T.Type) throws -> T {
    do { return try JSONDecoder().decode(type, from: body) } catch { throw HTTPFailure(.badRequest) }
  }
}

struct Response: Sendable {
  var status: HTTPResponseStatus
  var type: String
  var body: Data

  init(_ status: HTTPResponseStatus = .ok, type: String = "text/plain; charset=utf-8", body: Data) {
    (self.status, self.type, self.body) = (status, type, body)
  }

  /// The response for a chain's value: a `Response`, text, nothing, or a value that is encoded as JSON.
  init(of value: Any) throws {
    switch value {
    case let response as Response: self = response
    case let text as String: self.init(body: Data(text.utf8))
    case is Void: self.init(.noContent, body: Data())
    case let value as any Encodable:
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      self.init(type: "application/json", body: try encoder.encode(value))
    default: throw PromiseError.typeMismatch(expected: Response.self, found: Swift.type(of: value))
    }
  }

  /// The response for a rejection. Internal errors are not shown to the client.
  init(for error: any Error) {
    let status =
      switch error {
      case let failure as HTTPFailure: failure.status
      case PromiseError.timeout: HTTPResponseStatus.serviceUnavailable
      default: HTTPResponseStatus.internalServerError
      }
    self.init(status, body: Data("\(status.code) \(status.reasonPhrase)\n".utf8))
  }
}

/// An error that has an HTTP status.
struct HTTPFailure: Error {
  let status: HTTPResponseStatus

  init(_ status: HTTPResponseStatus) { self.status = status }
}
