import DynamicPromiseFoundation
import Foundation

/// The display: bars on a terminal, and a line for each event elsewhere.
final class Display: @unchecked Sendable {
  enum End {
    case done, cancelled, late
    case failed(any Error)
  }

  private typealias Bar = (job: Job, meter: TransferMeter, attempt: Int)

  /// All other mutable state is used on this queue only, so that lines never mix.
  private let queue = DispatchQueue(label: "display")
  private let isTerminal = isatty(STDERR_FILENO) != 0
  private let start = DispatchTime.now()
  private var timer: (any DispatchSourceTimer)?
  private var bars: [Bar] = []
  private var drawn = 0
  private var counts = (done: 0, failed: 0, late: 0)
  private var bytes: Int64 = 0

  init() {
    guard isTerminal else { return }
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer?.setEventHandler { [unowned self] in draw() }
    timer?.schedule(deadline: .now(), repeating: .milliseconds(100))
    timer?.activate()
  }

  /// Called when an attempt starts. The returned meter is for its transfer.
  func begin(_ job: Job, attempt: Int) -> TransferMeter {
    let meter = TransferMeter()
    queue.sync {
      bars.removeAll { $0.job.number == job.number }
      bars.append((job, meter, attempt))
      if isTerminal { draw() } else if attempt > 1 { say("\(job.url): attempt \(attempt)") }
    }
    return meter
  }

  /// Called when a job has ended.
  func end(_ job: Job, _ end: End) {
    queue.sync {
      let size = bars.first { $0.job.number == job.number }?.meter.latest?.completed ?? 0
      bars.removeAll { $0.job.number == job.number }
      switch end {
      case .done:
        counts.done += 1
        bytes += size
        say("\(job.file.relativePath): \(Self.text(size))")
      case .cancelled: break
      case .late:
        counts.late += 1
        say("\(job.url): no time left")
      case .failed(let error):
        counts.failed += 1
        let place = error is CocoaError || error is POSIXError ? " (\(job.file.path))" : ""
        say("\(job.url): \(error.localizedDescription)\(place)")
      }
    }
  }

  /// Prints the summary. Returns whether all `count` files are complete, and whether any file was late. A
  /// file that was not started counts as interrupted.
  func finish(of count: Int) -> (isComplete: Bool, isLate: Bool) {
    queue.sync {
      let seconds = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
      let time = String(format: "%.1f", seconds)
      let rest = count - counts.done - counts.failed - counts.late
      let parts = [(counts.failed, "failed"), (counts.late, "too late"), (rest, "interrupted")]
        .filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
      bars = []
      say("\(counts.done) of \(count) files, \(Self.text(bytes)) in \(time) s\(parts)")
      return (counts.done == count, counts.late > 0)
    }
  }

  private func say(_ line: String) { draw(under: line + "\n") }

  /// Redraws the bars below a permanent line.
  private func draw(under line: String = "") {
    let above = drawn > 0 ? "\u{1B}[\(drawn)A\u{1B}[J" : ""
    drawn = isTerminal ? bars.count : 0
    let text = above + line + bars.prefix(drawn).map { Self.text($0) + "\n" }.joined()
    FileHandle.standardError.write(Data(text.utf8))
  }

  private static func text(_ bar: Bar) -> String {
    let progress = bar.meter.latest
    let width = 24
    let full = Int((progress?.fraction ?? 0) * Double(width))
    let name = bar.job.file.lastPathComponent.prefix(28)
    let attempt = bar.attempt > 1 ? "  attempt \(bar.attempt)" : ""
    return name + String(repeating: " ", count: 29 - name.count)
      + "[" + String(repeating: "#", count: full) + String(repeating: ".", count: width - full) + "] "
      + text(progress?.completed ?? 0) + attempt
  }

  private static func text(_ bytes: Int64) -> String {
    let units = ["B", "kB", "MB", "GB"]
    var (value, unit) = (Double(bytes), 0)
    while value >= 1000, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
    return unit == 0 ? "\(bytes) B" : String(format: "%.1f ", value) + units[unit]
  }
}
