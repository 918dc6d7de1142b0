import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The value of a data or upload promise.
public struct LoadedData: Sendable {
  /// The body.
  public let data: Data
  /// The response.
  public let response: URLResponse

  /// Makes a response for a test.
  public init(data: Data, response: URLResponse) { (self.data, self.response) = (data, response) }

  /// The HTTP status, if the response is HTTP.
  public var statusCode: Int? { (response as? HTTPURLResponse)?.statusCode }
}

/// The value of a download promise.
public struct DownloadedFile: Sendable {
  /// The file with the body.
  public let file: URL
  /// The response.
  public let response: URLResponse

  /// The HTTP status, if the response is HTTP.
  public var statusCode: Int? { (response as? HTTPURLResponse)?.statusCode }
}

/// A response whose HTTP status was not accepted.
public struct HTTPStatusError: LocalizedError, CustomStringConvertible {
  /// The response.
  public let response: HTTPURLResponse
  /// The response's body, which usually explains the failure. Of a download, at most the first 64 KiB.
  public let data: Data

  /// The HTTP status.
  public var statusCode: Int { response.statusCode }

  /// The status as a number and as text. The text may be that of a success, because
  /// ``DynamicPromise/Promise/validate(_:)-((HTTPURLResponse)->Bool)`` may reject any status.
  public var description: String {
    "HTTP status \(statusCode) (\(HTTPURLResponse.localizedString(forStatusCode: statusCode)))"
  }

  /// The text of ``description``.
  public var errorDescription: String? { description }

  /// Throws if `response` is HTTP and its status is not in `accepted`; `nil` accepts all.
  static func check(_ response: URLResponse, _ accepted: Range<Int>?, _ data: () -> Data) throws {
    guard let accepted, let response = response as? HTTPURLResponse else { return }
    if !accepted.contains(response.statusCode) { throw HTTPStatusError(response: response, data: data()) }
  }
}
