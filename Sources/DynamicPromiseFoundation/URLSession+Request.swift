// A request, and what is usually done with its answer.

import DynamicPromise
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension URLSession {
  /// Loads what is at `url`, the head of a chain: `session.request(url).validate().decoded(as: User.self)`.
  /// The same as ``dataPromise(from:accepting:progress:on:)``; the value is ``LoadedData``.
  public func request(_ url: URL) -> Promise { dataPromise(from: url) }

  /// Loads what `request` asks for: ``dataPromise(for:accepting:progress:on:)``.
  public func request(_ request: URLRequest) -> Promise { dataPromise(for: request) }
}

extension Future {
  /// Goes on with an answer whose HTTP status is among `accepted`; any other rejects with
  /// ``HTTPStatusError``, which has the response and its body. An answer that is not one of HTTP has no
  /// status, and goes on.
  ///
  /// The value is ``LoadedData`` or ``DownloadedFile``, and goes on as it is; a value of another type rejects
  /// with `PromiseError.typeMismatch`. This comes after a download: the file stays at its destination. To
  /// keep it from being replaced, give `accepting:` to the download.
  public final func validate(_ accepted: Range<Int> = 200..<300) -> Promise {
    validate { accepted.contains($0.statusCode) }
  }

  /// The same with a test of your own: if it returns `false`, the promise is rejected with
  /// ``HTTPStatusError``, and if it throws, with what it threw. `isAcceptable` is called on the promise's
  /// default context.
  public final func validate(_ isAcceptable: @escaping @Sendable (HTTPURLResponse) throws -> Bool) -> Promise
  {
    then { (value: Any) -> Any in
      guard let answer = value as? any Answer else { throw mismatch(LoadedData.self, value) }
      if let response = answer.response as? HTTPURLResponse, try !isAcceptable(response) {
        throw HTTPStatusError(response: response, data: (try? answer.body()) ?? Data())
      }
      return value
    }
  }

  /// Decodes the body of an answer (or a value that is `Data`) as a `T`, on the promise's default context.
  /// What `decoder` throws rejects; a value of another type rejects with `PromiseError.typeMismatch`.
  ///
  /// An answer is decoded whatever its status: put ``validate(_:)-(Range<Int>)`` before this.
  public final func decoded<T: Decodable>(
    as type: T.Type, using decoder: some BodyDecoder = JSONDecoder()
  ) -> Promise {
    // A `@Sendable` handler may capture this metatype only in a box, because its conformance may be isolated
    // to an actor.
    let type = Handed(type as any Decodable.Type)
    return then { (value: Any) in try decoder.decode(type.value, from: body(of: value)) as Any }
  }
}

/// What ``DynamicPromise/Future/decoded(as:using:)`` decodes with.
public protocol BodyDecoder: Sendable {
  /// Makes a `T` of the bytes.
  func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T
}

extension JSONDecoder: BodyDecoder {}
extension PropertyListDecoder: BodyDecoder {}

/// The values with which transfers are fulfilled.
protocol Answer {
  var response: URLResponse { get }
  func body() throws -> Data
}

extension LoadedData: Answer {
  func body() -> Data { data }
}

extension DownloadedFile: Answer {
  func body() throws -> Data { try Data(contentsOf: file) }
}

/// The bytes to save or decode of a value.
func body(of value: Any) throws -> Data {
  if let data = value as? Data { return data }
  if let answer = value as? any Answer { return try answer.body() }
  throw mismatch(Data.self, value)
}

func mismatch(_ expected: Any.Type, _ value: Any) -> PromiseError {
  .typeMismatch(expected: expected, found: Swift.type(of: value))
}
