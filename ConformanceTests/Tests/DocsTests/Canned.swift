import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers requests without a network. The path is the name of the user, and `nobody` has status 404.
final class Canned: URLProtocol {
  static func session() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [Canned.self]
    return URLSession(configuration: configuration)
  }

  override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "canned" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    let url = request.url!
    let body = Data(#"{"name": "\#(url.lastPathComponent)"}"#.utf8)
    let response = HTTPURLResponse(
      url: url, statusCode: url.lastPathComponent == "nobody" ? 404 : 200, httpVersion: "HTTP/1.1",
      headerFields: ["Content-Length": "\(body.count)"])!
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: body)
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}
