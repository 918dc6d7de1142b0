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
  /// Lets an answer pass whose HTTP status is among `accepted`; any other rejects with ``HTTPStatusError``,
  /// which has the response and its body. An answer that is not one of HTTP has no status, and passes.
  ///
  /// The value is ``LoadedData`` or ``DownloadedFile``, and goes on as it is; another one rejects with
  /// `PromiseError.typeMismatch`. A file that has been downloaded stays where it was put:
  /// where it must not come to that, give `accepting:` to the download.
  public final func validate(_ accepted: Range<Int> = 200..<300) -> Promise {
    validate { accepted.contains($0.statusCode) }
  }

  /// The same with a question of your own: `false` rejects with ``HTTPStatusError``, what is thrown rejects
  /// with that. `isAcceptable` is called on the promise's default context.
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

  /// Decodes the body of an answer (or a value that is `Data`) as a `T`, on the promise's default context;
  /// what `decoder` throws rejects. Another value rejects with
  /// `PromiseError.typeMismatch`.
  ///
  /// An answer is decoded whatever its status: put ``validate(_:)-(Range<Int>)`` before this.
  public final func decoded<T: Decodable>(
    as type: T.Type, using decoder: some BodyDecoder = JSONDecoder()
  ) -> Promise {
    // A handler may take along no type that might be bound to an actor.
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

/// What transfers are fulfilled with.
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

/// The bytes that a value stands for.
func body(of value: Any) throws -> Data {
  if let data = value as? Data { return data }
  if let answer = value as? any Answer { return try answer.body() }
  throw mismatch(Data.self, value)
}

func mismatch(_ expected: Any.Type, _ value: Any) -> PromiseError {
  .typeMismatch(expected: expected, found: Swift.type(of: value))
}
