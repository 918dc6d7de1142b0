// Saving the value of a chain, which then goes on with it.

import DynamicPromise
import Foundation

/// Where values are saved: a database, a cache, a file.
public protocol ValueStore: Sendable {
  /// Saves `value`. The promise that is returned is waited for; `nil` if the value is saved already.
  func save(_ value: Any) throws -> DynamicPromise.Future?
}

extension DynamicPromise.Future {
  /// Saves the value in `store`, and then goes on with the same value. If `save` throws, or its promise is
  /// rejected, so is the new promise. `save` is called on the promise's default context. Cancelling the new
  /// promise withdraws from the promise of `save`.
  ///
  /// The shape is that of John Sundell's "Under the hood of Futures and Promises in Swift".
  public final func saved(in store: any ValueStore) -> Promise {
    then { (value: Any) -> Any in
      guard let saving = try store.save(value) else { return value }
      let value = Handed(value)
      return saving.thenOn(.immediate) { _ in value.value }
    }
  }

  /// Writes the value to a file, and then goes on with the same value. `Data`, the body of ``LoadedData`` or
  /// of a ``DownloadedFile``, and a `String` (in UTF-8) are written as they are; any other value is encoded
  /// with `encoder`, or rejects with `PromiseError.typeMismatch` if it is not `Encodable`. This is done on
  /// the promise's default context; an error of the file system rejects.
  ///
  /// `file` is replaced as a whole: whoever reads it finds the old contents or the new ones, and after a
  /// rejection the old ones. If it is a link, the link is replaced, and not the file that it points at. A
  /// folder is not replaced: `CocoaError.fileWriteFileExists`. The contents may still be in the disk's own
  /// cache when the promise is fulfilled.
  public final func saved(to file: URL, using encoder: some BodyEncoder = JSONEncoder()) -> Promise {
    then { (value: Any) -> Any in
      try contents(of: value, encoder).put(at: file)
      return value
    }
  }
}

/// What ``DynamicPromise/Future/saved(to:using:)`` encodes with.
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
