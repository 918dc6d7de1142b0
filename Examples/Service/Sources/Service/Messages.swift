import DynamicPromise
import Foundation
import NIOHTTP1

/// What a client asks for.
public struct Request: Sendable {
  /// What is to be done.
  public var method: HTTPMethod
  /// The path without its query, split at its slashes and unescaped.
  public var path: [String]
  /// The query's items by their names; of several with one name the last.
  public var query: [String: String]
  /// What was sent along.
  public var body: Data
  /// What stands in the path where the route has a `:name`.
  public var parameters: [String: String] = [:]

  init(_ head: HTTPRequestHead, _ body: Data) {
    let address = URLComponents(string: head.uri)
    method = head.method
    path = (address?.path ?? "").split(separator: "/").map(String.init)
    query = Dictionary(
      (address?.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
    self.body = body
  }

  /// The body as a `T`; a client that sends something else has made the mistake.
  public func decoded<T: Decodable>(as type: T.Type) throws -> T {
    do { return try JSONDecoder().decode(type, from: body) } catch { throw HTTPFailure(.badRequest) }
  }
}

/// What a client is answered.
public struct Response: Sendable {
  /// How it went.
  public var status: HTTPResponseStatus
  /// The type of the body.
  public var type: String
  /// What is sent.
  public var body: Data

  /// A response, of text unless told otherwise.
  public init(_ status: HTTPResponseStatus = .ok, type: String = "text/plain; charset=utf-8", body: Data) {
    (self.status, self.type, self.body) = (status, type, body)
  }

  /// What a chain has come to: a response as it is, text, nothing, and anything that can be encoded, as JSON.
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

  /// What a chain was rejected with. What went wrong inside is nobody's business outside.
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

/// A rejection that has a status.
public struct HTTPFailure: Error {
  /// The status.
  public let status: HTTPResponseStatus

  /// With this status.
  public init(_ status: HTTPResponseStatus) { self.status = status }
}
