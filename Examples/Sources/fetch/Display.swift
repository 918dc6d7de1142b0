import Foundation

/// Prints a line for each event, and counts the files.
final class Display: @unchecked Sendable {
  /// All mutable state is used on this queue only, so that lines never mix.
  private let queue = DispatchQueue(label: "display")
  private let start = DispatchTime.now()
  private var counts = (done: 0, failed: 0)

  func attempt(_ number: Int, at job: Job) {
    if number > 1 { queue.sync { say("\(job.url): attempt \(number)") } }
  }

  func succeed(_ job: Job) {
    queue.sync {
      counts.done += 1
      say("\(job.file.relativePath): complete")
    }
  }

  func fail(_ job: Job, _ error: any Error) {
    if error is Interrupted { return }
    queue.sync {
      counts.failed += 1
      say("\(job.file.relativePath): \(error.localizedDescription)")
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
