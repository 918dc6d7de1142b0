// A request, and the usual steps after its response.

import DynamicPromise
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSession {
  /// Loads `url`, as the beginning of a chain: `session.request(url).validate().decoded(as: User.self)`. Like
  /// ``dataPromise(from:accepting:progress:on:fileID:line:)`` without options; the value is ``LoadedData``.
  public func request(_ url: URL, fileID: StaticString = #fileID, line: UInt = #line) -> Promise {
    dataPromise(from: url, fileID: fileID, line: line)
  }

  /// Loads the response of `request`, like ``dataPromise(for:accepting:progress:on:fileID:line:)``.
  public func request(
    _ request: URLRequest, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise { dataPromise(for: request, fileID: fileID, line: line) }
}

extension Promise {
  /// Passes on a response whose HTTP status is in `accepted`. Any other status rejects with
  /// ``HTTPStatusError``, which contains the response and its body. A response that is not HTTP has no
  /// status, and is passed on.
  ///
  /// The value is ``LoadedData`` or ``DownloadedFile``, and is passed on unchanged; a value of another type
  /// rejects with `PromiseError.typeMismatch`. After a download the file stays at its destination. To check
  /// the status before the file is replaced, use `accepting:` of the download.
  public func validate(_ accepted: Range<Int> = 200..<300) -> Promise {
    validate { accepted.contains($0.statusCode) }
  }

  /// Passes on a response that `isAcceptable` accepts. `isAcceptable` is called on the promise's default
  /// context. If `isAcceptable` returns `false`, the new promise is rejected with ``HTTPStatusError``; if it
  /// throws, with the thrown error. A response that is not HTTP is passed on.
  public func validate(_ isAcceptable: @escaping @Sendable (HTTPURLResponse) throws -> Bool) -> Promise {
    then { (value: Any) -> Any in
      guard let answer = value as? any Answer else { throw mismatch(LoadedData.self, value) }
      if let response = answer.response as? HTTPURLResponse, try !isAcceptable(response) {
        throw HTTPStatusError(response: response, data: answer.explanation)
      }
      return value
    }
  }

  /// Decodes the body of a response (or a value that is `Data`) as a `T`, on the promise's default context.
  /// An error of `decoder` rejects the promise. A value of another type rejects it with
  /// `PromiseError.typeMismatch`. For an optional `T`, an empty body is `nil`.
  ///
  /// A response is decoded regardless of its status; use ``validate(_:)-(Range<Int>)`` first.
  public func decoded<T: Decodable>(
    as type: T.Type, using decoder: some BodyDecoder = JSONDecoder()
  ) -> Promise {
    // A `@Sendable` handler may capture this metatype only in a box, because its conformance may be isolated
    // to an actor.
    let type = UncheckedBox(type as any Decodable.Type)
    return then { (value: Any) in
      // A promise, because the handler's result would be a rejection if the decoded value is an `Error`.
      let decoded = Promise(on: .immediate)
      let data = try body(of: value)
      let isMissing = data.isEmpty && type.value is any ExpressibleByNilLiteral.Type
      decoded.fulfill(isMissing ? nil : try decoder.decode(type.value, from: data) as Any)
      return decoded
    }
  }
}

/// A decoder for ``DynamicPromise/Promise/decoded(as:using:)``.
public protocol BodyDecoder: Sendable {
  /// Decodes the bytes as a `T`.
  func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T
}

extension JSONDecoder: BodyDecoder {}
extension PropertyListDecoder: BodyDecoder {}

/// The value of a transfer.
protocol Answer {
  var response: URLResponse { get }
  func body() throws -> Data
  /// The body for an error.
  var explanation: Data { get }
}

extension LoadedData: Answer {
  func body() -> Data { data }
  var explanation: Data { data }
}

extension DownloadedFile: Answer {
  func body() throws -> Data { try Data(contentsOf: file) }
  var explanation: Data { beginning(of: file) }
}

/// The first 64 KiB of a file, which may be large.
func beginning(of file: URL) -> Data {
  let handle = try? FileHandle(forReadingFrom: file)
  defer { try? handle?.close() }
  return (try? handle?.read(upToCount: 1 << 16)) ?? Data()
}

/// The bytes of a value, to save or decode.
func body(of value: Any) throws -> Data {
  if let data = value as? Data { return data }
  if let answer = value as? any Answer { return try answer.body() }
  throw mismatch(Data.self, value)
}

func mismatch(_ expected: Any.Type, _ value: Any) -> PromiseError {
  .typeMismatch(expected: expected, found: Swift.type(of: value))
}
