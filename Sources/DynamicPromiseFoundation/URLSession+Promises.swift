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
/// - `progress` is told how far the transfer has come: see ``TransferMeter``. On Linux such a transfer, and
///   every download, has a session of its own with the same configuration, so `invalidateAndCancel` does not
///   reach it; the session's delegate is asked about redirections and challenges, and about nothing else.
/// - `context` becomes the default context of the promise and its descendants; otherwise it is
///   `Promise.defaultContext`.
extension URLSession {
  /// Loads what `request` asks for; the value is ``LoadedData``.
  public func dataPromise(
    for request: URLRequest, accepting accepted: Range<Int>? = nil,
    progress: TransferMeter? = nil, on context: (any ExecutionContext)? = .inherited
  ) -> Promise {
    transfer(on: context, accepted, progress, .received) { handler in
      dataTask(with: request, completionHandler: handler)
    } metered: {
      $0.dataTask(with: request)
    }
  }

  /// Loads what is at `url`; the value is ``LoadedData``.
  public func dataPromise(
    from url: URL, accepting accepted: Range<Int>? = nil, progress: TransferMeter? = nil,
    on context: (any ExecutionContext)? = .inherited
  ) -> Promise {
    dataPromise(for: URLRequest(url: url), accepting: accepted, progress: progress, on: context)
  }

  /// Sends `request` with `body`; the value is the answer, ``LoadedData``.
  public func uploadPromise(
    for request: URLRequest, from body: Data, accepting accepted: Range<Int>? = nil,
    progress: TransferMeter? = nil, on context: (any ExecutionContext)? = .inherited
  ) -> Promise {
    transfer(on: context, accepted, progress, .sent) { handler in
      uploadTask(with: request, from: body, completionHandler: handler)
    } metered: {
      $0.uploadTask(with: request, from: body)
    }
  }

  /// Sends `request` with the contents of `file`; the value is the answer, ``LoadedData``.
  public func uploadPromise(
    for request: URLRequest, fromFile file: URL, accepting accepted: Range<Int>? = nil,
    progress: TransferMeter? = nil, on context: (any ExecutionContext)? = .inherited
  ) -> Promise {
    transfer(on: context, accepted, progress, .sent) { handler in
      uploadTask(with: request, fromFile: file, completionHandler: handler)
    } metered: {
      $0.uploadTask(with: request, fromFile: file)
    }
  }

  /// Loads what `request` asks for into the file `destination`, which is replaced if it exists; the value is
  /// ``DownloadedFile``. A link there is replaced, too, and not what it points at; a folder, or a link to
  /// one, is not: the promise is rejected with `CocoaError.fileWriteFileExists`. Rejected, the promise has
  /// left `destination` alone, for the body is complete beside it before it takes its place; cancelled
  /// meanwhile, it may have written it.
  public func downloadPromise(
    for request: URLRequest, to destination: URL, accepting accepted: Range<Int>? = nil,
    progress: TransferMeter? = nil, on context: (any ExecutionContext)? = .inherited
  ) -> Promise {
    transfer(on: context) { resolver in
      let end: @Sendable (URL?, URLResponse?, (any Error)?) -> Void = {
        resolver.conclude($0, $1, $2, accepted, destination)
      }
      #if canImport(FoundationNetworking)
        // A download task of this Foundation that fails or is cancelled leaves half a file behind.
        let metered = MeteredTransfer(
          progress ?? TransferMeter(), counting: .received, .file(end), part: try PartialFile())
        return metered.task(of: self, for: resolver) { $0.dataTask(with: request) }
      #else
        guard let progress else { return downloadTask(with: request, completionHandler: end) }
        let metered = MeteredTransfer(progress, counting: .received, .file(end))
        return metered.task(of: self, for: resolver) { $0.downloadTask(with: request) }
      #endif
    }
  }

  /// Loads what is at `url` into the file `destination`, as
  /// ``downloadPromise(for:to:accepting:progress:on:)`` does.
  public func downloadPromise(
    from url: URL, to destination: URL, accepting accepted: Range<Int>? = nil,
    progress: TransferMeter? = nil, on context: (any ExecutionContext)? = .inherited
  ) -> Promise {
    downloadPromise(
      for: URLRequest(url: url), to: destination, accepting: accepted, progress: progress, on: context)
  }

  /// A transfer whose body is kept in memory: a task with a completion handler, or one that a meter watches.
  private func transfer(
    on context: (any ExecutionContext)?, _ accepted: Range<Int>?, _ meter: TransferMeter?,
    _ counted: MeteredTransfer.Counted,
    plain: (@escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask,
    metered: (URLSession) -> URLSessionTask
  ) -> Promise {
    transfer(on: context) { resolver in
      let end: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = {
        resolver.conclude($0, $1, $2, accepted)
      }
      guard let meter else { return plain(end) }
      return MeteredTransfer(meter, counting: counted, .data(end)).task(of: self, for: resolver, metered)
    }
  }

  /// Ties a new task to a new promise. The task's completion handler holds the resolver.
  private func transfer(
    on context: (any ExecutionContext)?, _ task: (Resolver) throws -> URLSessionTask
  ) -> Promise {
    let (promise, resolver) = Promise.pending(on: context)
    do {
      let task = try task(resolver)
      resolver.onCancel { _ in task.cancel() }
      resolver.onAbandon { task.cancel() }
      task.resume()
    } catch { resolver.reject(error) }
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
