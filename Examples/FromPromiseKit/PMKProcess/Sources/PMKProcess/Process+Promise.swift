// An extension for PromiseKit, as another package might have it. Nothing in it is changed.

import Foundation

#if !PMKCocoaPods
  import PromiseKit
#endif

extension Process {
  /// What went wrong.
  public enum PMKError: Error {
    case status(Int32, Process)
  }

  /// Launches the process, and resolves when it exits with status 0.
  public func launch(_: PMKNamespacer) -> Promise<Data> {
    let pipe = Pipe()
    standardOutput = pipe
    let (promise, seal) = Promise<Data>.pending()
    terminationHandler = { process in
      guard process.terminationStatus == 0 else {
        return seal.reject(PMKError.status(process.terminationStatus, process))
      }
      seal.fulfill(pipe.fileHandleForReading.readDataToEndOfFile())
    }
    do { try run() } catch { seal.reject(error) }
    return promise
  }
}

extension CatchMixin {
  /// Logs an error, and hands it on.
  public func logging(on queue: DispatchQueue? = conf.Q.return, _ log: @escaping (Error) -> Void) -> Promise<
    T
  > {
    recover(on: queue, policy: .allErrors) { error -> Promise<T> in
      log(error)
      throw error
    }
  }
}
