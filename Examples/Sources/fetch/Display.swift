import Foundation

/// Prints a line for each event, and counts the files.
final class Display: @unchecked Sendable {
  enum End {
    case done, cancelled
    case failed(any Error)
  }

  /// All mutable state is used on this queue only, so that lines never mix.
  private let queue = DispatchQueue(label: "display")
  private let start = DispatchTime.now()
  private var counts = (done: 0, failed: 0)

  func begin(_ job: Job, attempt: Int) {
    if attempt > 1 { queue.sync { say("\(job.url): attempt \(attempt)") } }
  }

  func end(_ job: Job, _ end: End) {
    queue.sync {
      switch end {
      case .done:
        counts.done += 1
        say("\(job.file.relativePath): complete")
      case .cancelled: break
      case .failed(let error):
        counts.failed += 1
        let place = error is CocoaError || error is POSIXError ? " (\(job.file.path))" : ""
        say("\(job.url): \(error.localizedDescription)\(place)")
      }
    }
  }

  /// Prints the summary. Returns whether all `count` files are complete. A file that was not started counts
  /// as interrupted.
  func finish(of count: Int) -> Bool {
    queue.sync {
      let seconds = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
      let parts = [(counts.failed, "failed"), (count - counts.done - counts.failed, "interrupted")]
        .filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
      say("\(counts.done) of \(count) files in \(String(format: "%.1f", seconds)) s\(parts)")
      return counts.done == count
    }
  }

  private func say(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}
