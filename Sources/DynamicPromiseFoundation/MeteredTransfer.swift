// A transfer that reports its progress to a meter, with a delegate instead of a completion handler.

import DynamicPromise
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The delegate of one task, on Linux by way of a ``SharedSession``. The session's delegate queue calls its
/// methods, one at a time.
final class MeteredTransfer: NSObject, @unchecked Sendable {
  enum Counted { case sent, received }
  /// The closure that receives the body of the response, in memory or in a file. The file is removed when the
  /// closure returns.
  enum End {
    case data(@Sendable (Data?, URLResponse?, (any Error)?) -> Void)
    case file(@Sendable (URL?, URLResponse?, (any Error)?) -> Void)
  }

  private let meter: TransferMeter
  private let counted: Counted
  private let end: End
  // After the task has been made, these variables are used only on the delegate queue.
  /// The delegate that decides about redirections and challenges. Retained until the transfer ends, even if
  /// its session is invalidated earlier.
  private(set) var base: (any URLSessionTaskDelegate)?
  private var body = Data()
  private var received: Int64 = 0
  private var hasFile = false
  private var failure: (any Error)?
  /// The file for the body of a data task whose result is a file.
  private let part: PartialFile?

  init(_ meter: TransferMeter, counting counted: Counted, _ end: End, part: PartialFile? = nil) {
    (self.meter, self.counted, self.end, self.part) = (meter, counted, end, part)
  }

  /// Ends the meter and removes the partial file. A cancel calls this at once, because the program may end
  /// soon.
  func stop() {
    meter.end()
    part?.discard()
  }

  /// Makes the task of `session` with this delegate, for the promise of `resolver`.
  func task(of session: URLSession, for resolver: Resolver, _ make: (URLSession) -> URLSessionTask)
    -> URLSessionTask
  {
    resolver.onCancel { [weak self] _ in self?.stop() }
    resolver.onAbandon { [weak self] in self?.stop() }
    #if canImport(FoundationNetworking)
      base = session.delegate as? any URLSessionTaskDelegate
      return SharedSession.task(of: session, for: self, make)
    #else
      let task = make(session)
      task.delegate = self
      return task
    #endif
  }

  private func report(_ counted: Counted, _ completed: Int64, of total: Int64) {
    guard counted == self.counted else { return }
    meter.report(TransferProgress(completed: completed, total: total >= 0 ? total : nil))
  }
}

extension MeteredTransfer: URLSessionDataDelegate {
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    do {
      if let part { try part.append(data) } else { body += data }
    } catch {
      failure = error
      return dataTask.cancel()
    }
    received += Int64(data.count)
    report(.received, received, of: dataTask.response?.expectedContentLength ?? -1)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    // Zero counts as unknown, because some systems report zero for a body of unknown length.
    report(.sent, totalBytesSent, of: totalBytesExpectedToSend > 0 ? totalBytesExpectedToSend : -1)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    switch end {
    case .data(let conclude): conclude(error == nil ? body : nil, task.response, error)
    case .file(let conclude):
      if !hasFile {
        let isComplete = error == nil && part?.close() ?? false
        // The file is removed before the promise is rejected, because the program may end then.
        if !isComplete { part?.discard() }
        conclude(isComplete ? part?.url : nil, task.response, failure ?? error)
      }
    }
    stop()
    base = nil
  }

  /// Discards the body of an earlier response. A request that is repeated with a credential has several
  /// responses, and the last one has the body.
  func restart(_ task: URLSessionTask) {
    (body, received) = (Data(), 0)
    do { try part?.restart() } catch {
      failure = error
      task.cancel()
    }
  }
}

extension MeteredTransfer: URLSessionDownloadDelegate {
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
    totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
  ) {
    report(.received, totalBytesWritten, of: totalBytesExpectedToWrite)
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
  ) {
    hasFile = true
    if case .file(let conclude) = end { conclude(location, downloadTask.response, nil) }
  }
}
