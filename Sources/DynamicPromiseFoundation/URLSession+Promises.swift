// Transfers as promises. The session's own configuration and delegate apply, except that a task with a
// completion handler, as these are, does not call its delegate's data methods.

import DynamicPromise
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// In each of these:
///
/// - The session must be valid: one that was invalidated stops the program, as its own methods do.
/// - Cancelling the promise cancels the task; so does letting it go with nobody waiting.
/// - An error of the transfer rejects the promise as it is. A status that is not in `accepted` rejects it
///   with ``HTTPStatusError``; without `accepted` any response is a result, as it is for `URLSession`. An
///   empty range accepts no status. A response that is not one of HTTP has none, and is a result.
/// - `context` becomes the default context of the promise and its descendants; otherwise it is
///   `Promise.defaultContext`.
extension URLSession {
  /// Loads what `request` asks for; the value is ``LoadedData``.
  public func dataPromise(
    for request: URLRequest, accepting accepted: Range<Int>? = nil,
    on context: (any ExecutionContext)? = .inherited
  ) -> Promise {
    transfer(on: context) { resolver in
      dataTask(with: request) { resolver.conclude($0, $1, $2, accepted) }
    }
  }

  /// Loads what is at `url`; the value is ``LoadedData``.
  public func dataPromise(
    from url: URL, accepting accepted: Range<Int>? = nil, on context: (any ExecutionContext)? = .inherited
  ) -> Promise {
    dataPromise(for: URLRequest(url: url), accepting: accepted, on: context)
  }

  /// Sends `request` with `body`; the value is the answer, ``LoadedData``.
  public func uploadPromise(
    for request: URLRequest, from body: Data, accepting accepted: Range<Int>? = nil,
    on context: (any ExecutionContext)? = .inherited
  ) -> Promise {
    transfer(on: context) { resolver in
      uploadTask(with: request, from: body) { resolver.conclude($0, $1, $2, accepted) }
    }
  }

  /// Sends `request` with the contents of `file`; the value is the answer, ``LoadedData``.
  public func uploadPromise(
    for request: URLRequest, fromFile file: URL, accepting accepted: Range<Int>? = nil,
    on context: (any ExecutionContext)? = .inherited
  ) -> Promise {
    transfer(on: context) { resolver in
      uploadTask(with: request, fromFile: file) { resolver.conclude($0, $1, $2, accepted) }
    }
  }

  /// Loads what `request` asks for into the file `destination`, which is replaced if it exists; the value is
  /// ``DownloadedFile``. A link there is replaced, too, and not what it points at; a folder, or a link to
  /// one, is not: the promise is rejected with `CocoaError.fileWriteFileExists`. Rejected, the promise has
  /// left `destination` alone, for the body is complete beside it before it takes its place; cancelled
  /// meanwhile, it may have written it.
  public func downloadPromise(
    for request: URLRequest, to destination: URL, accepting accepted: Range<Int>? = nil,
    on context: (any ExecutionContext)? = .inherited
  ) -> Promise {
    transfer(on: context) { resolver in
      downloadTask(with: request) { resolver.conclude($0, $1, $2, accepted, destination) }
    }
  }

  /// Loads what is at `url` into the file `destination`, as ``downloadPromise(for:to:accepting:on:)`` does.
  public func downloadPromise(
    from url: URL, to destination: URL, accepting accepted: Range<Int>? = nil,
    on context: (any ExecutionContext)? = .inherited
  ) -> Promise {
    downloadPromise(for: URLRequest(url: url), to: destination, accepting: accepted, on: context)
  }

  /// Ties a new task to a new promise. The task's completion handler holds the resolver.
  private func transfer(
    on context: (any ExecutionContext)?, _ task: (Resolver) -> URLSessionTask
  ) -> Promise {
    let (promise, resolver) = Promise.pending(on: context)
    let task = task(resolver)
    resolver.onCancel { _ in task.cancel() }
    resolver.onAbandon { task.cancel() }
    task.resume()
    return promise
  }
}

extension Resolver {
  /// What a data or upload task ends with.
  fileprivate func conclude(
    _ data: Data?, _ response: URLResponse?, _ error: (any Error)?, _ accepted: Range<Int>?
  ) {
    conclude(response, error) { response in
      let data = data ?? Data()
      try HTTPStatusError.check(response, accepted) { data }
      return LoadedData(data: data, response: response)
    }
  }

  /// What a download task ends with. The file at `location` lasts until this returns.
  fileprivate func conclude(
    _ location: URL?, _ response: URLResponse?, _ error: (any Error)?, _ accepted: Range<Int>?,
    _ destination: URL
  ) {
    if isCancelled || isAbandoned { return }
    conclude(response, error) { response in
      guard let location else { throw URLError(.cannotOpenFile) }
      try HTTPStatusError.check(response, accepted) { (try? Data(contentsOf: location)) ?? Data() }
      try location.put(at: destination)
      return DownloadedFile(file: destination, response: response)
    }
  }

  private func conclude(
    _ response: URLResponse?, _ error: (any Error)?, _ result: (URLResponse) throws -> Any
  ) {
    do {
      if let error { throw error }
      guard let response else { throw URLError(.badServerResponse) }
      fulfill(try result(response))
    } catch {
      reject(error)
    }
  }
}
