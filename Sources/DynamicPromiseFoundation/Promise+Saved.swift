// Saving the value of a chain, and passing it on.

import DynamicPromise
import Foundation

/// A store of values: a database, a cache, a file.
public protocol ValueStore: Sendable {
  /// Saves `value`. Returns a promise to wait for, or `nil` if the value is saved already.
  func save(_ value: Any) throws -> DynamicPromise.Promise?
}

extension DynamicPromise.Promise {
  /// Saves the value in `store`, then passes it on. If `save` throws, or its promise is rejected, the new
  /// promise is rejected too. `save` is called on the promise's default context. Cancelling the new promise
  /// withdraws from the promise of `save`.
  ///
  /// The design is from John Sundell's "Under the hood of Futures and Promises in Swift".
  public final func saved(in store: any ValueStore) -> Promise {
    tap { (value: Any) in try store.save(value) }
  }

  /// Writes the value to a file, then passes it on. `Data`, the body of ``LoadedData`` or of a
  /// ``DownloadedFile``, and a `String` (in UTF-8) are written unchanged. Any other value is encoded with
  /// `encoder`; a value that is not `Encodable` rejects with `PromiseError.typeMismatch`. The write runs on
  /// the promise's default context; an error of the file system rejects the promise.
  ///
  /// `file` is replaced as a whole, with the old file's mode: a reader sees either the old contents or the
  /// new ones. After a rejection
  /// the file is unchanged. If `file` is a link, the link is replaced, not its target. A folder is not
  /// replaced: the promise is rejected with `CocoaError.fileWriteFileExists`. The contents may still be in
  /// the disk's cache when the promise is fulfilled.
  public final func saved(to file: URL, using encoder: some BodyEncoder = JSONEncoder()) -> Promise {
    tap { (value: Any) in try contents(of: value, encoder).put(at: file) }
  }
}

/// An encoder for ``DynamicPromise/Promise/saved(to:using:)``.
public protocol BodyEncoder: Sendable {
  /// The bytes of a value.
  func encode<T: Encodable>(_ value: T) throws -> Data
}

extension JSONEncoder: BodyEncoder {}
extension PropertyListEncoder: BodyEncoder {}

private func contents(of value: Any, _ encoder: some BodyEncoder) throws -> Data {
  if let text = value as? String { return Data(text.utf8) }
  if value is Data || value is any Answer { return try body(of: value) }
  guard let value = value as? any Encodable else { throw mismatch((any Encodable).self, value) }
  return try encoder.encode(value)
}
