// Transfers as promises. The session's own configuration and delegate apply, except that the delegate's data
// methods are not called, because these tasks have completion handlers.

import DynamicPromise
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// These rules apply to all methods:
///
/// - The session must be valid: an invalidated session stops the program, as with the session's own methods.
/// - The task is cancelled when the promise is cancelled or abandoned.
/// - An error of the transfer rejects the promise unchanged. A status that is not in `accepted` rejects it
///   with ``HTTPStatusError``. Without `accepted`, every response fulfills the promise, as with `URLSession`;
///   an empty range accepts no status. A response that is not HTTP has no status, and fulfills the promise.
/// - `progress` is updated as the transfer proceeds: see ``TransferMeter``. On Linux, `invalidateAndCancel`
///   cancels neither a transfer with `progress` nor a download, because these share a second session with the
///   same configuration. The original session's delegate only decides about redirections and challenges.
/// - `context` is the default context of the promise and its descendants; by default
///   `Promise.defaultContext`. The promise's origin is the line of the call.
extension URLSession {
  /// Loads the response of `request`; the value is ``LoadedData``.
  public func dataPromise(
    for request: URLRequest, accepting accepted: Range<Int>? = nil,
    progress: TransferMeter? = nil, on context: (any ExecutionContext)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    transfer(on: context, at: (fileID, line), accepted, progress, .received) { handler in
      dataTask(with: request, completionHandler: handler)
    } metered: {
      $0.dataTask(with: request)
    }
  }

  /// Loads `url`; the value is ``LoadedData``.
  public func dataPromise(
    from url: URL, accepting accepted: Range<Int>? = nil, progress: TransferMeter? = nil,
    on context: (any ExecutionContext)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    dataPromise(
      for: URLRequest(url: url), accepting: accepted, progress: progress, on: context, fileID: fileID,
      line: line)
  }

  /// Sends `request` with `body`; the value is the response, ``LoadedData``.
  public func uploadPromise(
    for request: URLRequest, from body: Data, accepting accepted: Range<Int>? = nil,
    progress: TransferMeter? = nil, on context: (any ExecutionContext)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    transfer(on: context, at: (fileID, line), accepted, progress, .sent) { handler in
      uploadTask(with: request, from: body, completionHandler: handler)
    } metered: {
      $0.uploadTask(with: request, from: body)
    }
  }

  /// Sends `request` with the contents of `file`; the value is the response, ``LoadedData``.
  public func uploadPromise(
    for request: URLRequest, fromFile file: URL, accepting accepted: Range<Int>? = nil,
    progress: TransferMeter? = nil, on context: (any ExecutionContext)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    transfer(on: context, at: (fileID, line), accepted, progress, .sent) { handler in
      uploadTask(with: request, fromFile: file, completionHandler: handler)
    } metered: {
      $0.uploadTask(with: request, fromFile: file)
    }
  }

  /// Loads the response of `request` into the file `destination`, which is replaced if it exists; the value
  /// is ``DownloadedFile``. If the destination is a link, the link is replaced, not its target. A folder,
  /// or a link to one, is not replaced: the promise is rejected with `CocoaError.fileWriteFileExists`.
  ///
  /// After a rejection the destination is unchanged; after a cancel it may have been replaced already. The
  /// body is written to a temporary file, which replaces `destination` when the body is complete.
  public func downloadPromise(
    for request: URLRequest, to destination: URL, accepting accepted: Range<Int>? = nil,
    progress: TransferMeter? = nil, on context: (any ExecutionContext)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    transfer(on: context, at: (fileID, line)) { resolver in
      let end: @Sendable (URL?, URLResponse?, (any Error)?) -> Void = {
        resolver.conclude($0, $1, $2, accepted, destination)
      }
      #if canImport(FoundationNetworking)
        // A data task with a partial file, because on Linux a download task that fails or is cancelled leaves
        // an incomplete file.
        let part: PartialFile
        do { part = try PartialFile() } catch {
          progress?.end()
          throw error
        }
        let metered = MeteredTransfer(
          progress ?? TransferMeter(), counting: .received, .file(end), part: part)
        return metered.task(of: self, for: resolver) { $0.dataTask(with: request) }
      #else
        guard let progress else { return downloadTask(with: request, completionHandler: end) }
        let metered = MeteredTransfer(progress, counting: .received, .file(end))
        return metered.task(of: self, for: resolver) { $0.downloadTask(with: request) }
      #endif
    }
  }

  /// Loads `url` into the file `destination`, like
  /// ``downloadPromise(for:to:accepting:progress:on:fileID:line:)``.
  public func downloadPromise(
    from url: URL, to destination: URL, accepting accepted: Range<Int>? = nil,
    progress: TransferMeter? = nil, on context: (any ExecutionContext)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    downloadPromise(
      for: URLRequest(url: url), to: destination, accepting: accepted, progress: progress, on: context,
      fileID: fileID, line: line)
  }

  /// A transfer whose body stays in memory: a task with a completion handler, or with a meter.
  private func transfer(
    on context: (any ExecutionContext)?, at place: (fileID: StaticString, line: UInt),
    _ accepted: Range<Int>?, _ meter: TransferMeter?, _ counted: MeteredTransfer.Counted,
    plain: (@escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void) -> URLSessionTask,
    metered: (URLSession) -> URLSessionTask
  ) -> Promise {
    transfer(on: context, at: place) { resolver in
      let end: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = {
        resolver.conclude($0, $1, $2, accepted)
      }
      guard let meter else { return plain(end) }
      return MeteredTransfer(meter, counting: counted, .data(end)).task(of: self, for: resolver, metered)
    }
  }

  /// Makes a promise for a new task. The task's completion handler retains the resolver.
  private func transfer(
    on context: (any ExecutionContext)?, at place: (fileID: StaticString, line: UInt),
    _ task: (Resolver) throws -> URLSessionTask
  ) -> Promise {
    let (promise, resolver) = Promise.pending(on: context, fileID: place.fileID, line: place.line)
    resolver.alwaysCallsBack()
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
  /// Resolves with the result of a data or upload task.
  fileprivate func conclude(
    _ data: Data?, _ response: URLResponse?, _ error: (any Error)?, _ accepted: Range<Int>?
  ) {
    conclude(response, error) { response in
      let data = data ?? Data()
      try HTTPStatusError.check(response, accepted) { data }
      return LoadedData(data: data, response: response)
    }
  }

  /// Resolves with the result of a download task. The file at `location` is removed when this method has
  /// returned.
  fileprivate func conclude(
    _ location: URL?, _ response: URLResponse?, _ error: (any Error)?, _ accepted: Range<Int>?,
    _ destination: URL
  ) {
    if isCancelled || isAbandoned { return }
    conclude(response, error) { response in
      guard let location else { throw URLError(.cannotOpenFile) }
      do {
        try HTTPStatusError.check(response, accepted) { beginning(of: location) }
        try location.put(at: destination)
      } catch {
        // The file is removed before the promise is rejected, because the program may end then.
        try? FileManager.default.removeItem(at: location)
        throw error
      }
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
