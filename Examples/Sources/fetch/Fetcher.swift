import DynamicPromise
import DynamicPromiseFoundation
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Job: Sendable {
  let url: URL
  let file: URL

  /// A job for each address. A file's name is the last part of its address; duplicates are numbered.
  static func all(_ options: Options) -> [Job] {
    var taken: [String: Int] = [:]
    return options.urls.map { url in
      let last = url.lastPathComponent
      let name = last.isEmpty || last == "/" ? "index.html" : last
      taken[name, default: 0] += 1
      let file = taken[name] == 1 ? name : "\(name).\(taken[name]! - 1)"
      return Job(url: url, file: URL(fileURLWithPath: options.folder).appendingPathComponent(file))
    }
  }
}

/// The reason of a cancellation by a signal.
struct Interrupted: Error {
  let signal: Int32
}

/// The program's chains.
struct Fetcher: Sendable {
  let options: Options
  let session: URLSession
  let display: Display

  /// A promise for all files, which is fulfilled even if files fail. Cancelling it cancels the running
  /// downloads.
  func run() -> Promise {
    Promise.map(Job.all(options), concurrency: options.jobs) { (job: Job) in file(job) }
  }

  private func file(_ job: Job) -> Promise {
    Promise.retry(
      options.retries + 1, delay: .exponential(0.2, ceiling: 10, jitter: 0.5), while: Self.mayPass
    ) { attempt in
      display.attempt(attempt, at: job)
      return session.downloadPromise(from: job.url, to: job.file, accepting: 200..<300)
    }
    .timeout(options.fileTime, cancelling: true)
    .then({ _ in display.succeed(job) }, { display.fail(job, $0) })
  }

  /// Whether a retry may succeed: true for errors of the network, and for temporary errors of the server.
  @Sendable private static func mayPass(_ error: any Error) -> Bool {
    switch error {
    case let error as HTTPStatusError: [408, 425, 429].contains(error.statusCode) || error.statusCode >= 500
    case let error as URLError: ![.unsupportedURL, .badURL, .cancelled].contains(error.code)
    default: false
    }
  }
}
