// The session of metered transfers and downloads on Linux, where Foundation calls no task's own delegate.

#if canImport(FoundationNetworking)
  import Foundation
  import FoundationNetworking

  /// A session with the configuration of `base`, which all metered transfers and downloads of `base` share,
  /// so that its limits apply to them together. Invalidated after the last of them.
  final class SharedSession: NSObject, @unchecked Sendable {
    private static let all = Locked<[ObjectIdentifier: SharedSession]>([:])

    /// Retained, so that no other session has the same identity.
    private let base: URLSession
    // Guarded by the lock of `all`.
    private lazy var own = URLSession(
      configuration: base.configuration, delegate: self, delegateQueue: base.delegateQueue)
    private var transfers: [Int: MeteredTransfer] = [:]

    private init(_ base: URLSession) { self.base = base }

    /// Makes a task whose delegate is `transfer`.
    static func task(
      of base: URLSession, for transfer: MeteredTransfer, _ make: (URLSession) -> URLSessionTask
    ) -> URLSessionTask {
      all.with { all in
        let shared = all[ObjectIdentifier(base)] ?? SharedSession(base)
        all[ObjectIdentifier(base)] = shared
        let task = make(shared.own)
        shared.transfers[task.taskIdentifier] = transfer
        return task
      }
    }

    private func transfer(of task: URLSessionTask) -> MeteredTransfer? {
      Self.all.with { _ in transfers[task.taskIdentifier] }
    }
  }

  extension SharedSession: URLSessionDataDelegate {
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      transfer(of: dataTask)?.urlSession(session, dataTask: dataTask, didReceive: data)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      transfer(of: dataTask)?.restart(dataTask)
      completionHandler(.allow)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
      totalBytesExpectedToSend: Int64
    ) {
      transfer(of: task)?.urlSession(
        session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
        totalBytesExpectedToSend: totalBytesExpectedToSend)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      transfer(of: task)?.urlSession(session, task: task, didCompleteWithError: error)
      let isLast = Self.all.with { all in
        transfers[task.taskIdentifier] = nil
        if transfers.isEmpty { all[ObjectIdentifier(base)] = nil }
        return transfers.isEmpty
      }
      if isLast { session.finishTasksAndInvalidate() }
    }

    // The delegate of the original session decides about redirections and challenges, as in other transfers.

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      guard let base = transfer(of: task)?.base else { return completionHandler(request) }
      base.urlSession(
        session, task: task, willPerformHTTPRedirection: response, newRequest: request,
        completionHandler: completionHandler)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      guard let base = transfer(of: task)?.base else {
        return completionHandler(.performDefaultHandling, nil)
      }
      base.urlSession(session, task: task, didReceive: challenge, completionHandler: completionHandler)
    }
  }
#endif
