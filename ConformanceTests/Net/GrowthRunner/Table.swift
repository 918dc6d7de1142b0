// Measures the lines one after another, and prints a table in Markdown.

import Dispatch
import Foundation
import Growth

struct Table {
  private struct Row {
    let line: Line
    let growth: Growth
    /// The reason why there are fewer costs than sizes.
    let end: String?

    var fails: Bool { line.exception == nil && (end != nil || growth.isTooFast) }
    /// Orders the shapes of an operation. The worst shape has the greatest rank.
    var rank: (Int, Double) { (fails ? 2 : line.exception == nil ? 0 : 1, growth.perDoubling) }
  }

  /// How long a line may take, in seconds.
  private static let patience = 300.0

  private let options: Options

  init(_ options: Options) { self.options = options }

  /// Prints the table. Returns whether every line without an exception meets the limits.
  func run() -> Bool {
    say("| operation | \(options.sizes.map { "at \($0)" }.joined(separator: " | ")) | longest | doubling |")
    say("|---|" + String(repeating: "---|", count: options.sizes.count + 2))
    var rows: [Row] = []
    for number in options.chosen {
      let row = measure(Line.all[number], number)
      rows.append(row)
      if !options.isWorstOnly { say(text(of: row)) }
    }
    if options.isWorstOnly {
      var worst = Dictionary(rows.map { ($0.line.operation, $0) }) { $0.rank < $1.rank ? $1 : $0 }
      for row in rows.compactMap({ worst.removeValue(forKey: $0.line.operation) }) { say(text(of: row)) }
    }
    let failures = rows.filter(\.fails)
    say("\n\(rows.count) lines, \(failures.count) fail")
    for row in failures { say("FAILED: \(row.line.name)") }
    return failures.isEmpty
  }

  /// A row with the locked links and milliseconds at each size.
  private func text(of row: Row) -> String {
    var cells = [row.line.name]
    for index in options.sizes.indices {
      guard index < row.growth.costs.count else {
        cells.append(row.end ?? "")
        continue
      }
      let cost = row.growth.costs[index]
      let time = String(format: "%.1f ms", cost.time / 1000)
      cells.append(cost.locked == 0 ? time : "\(cost.locked), \(time)")
    }
    cells.append("\(row.growth.longest)")
    cells.append(String(format: "%.1f", row.growth.perDoubling))
    let verdict = row.fails ? " **fails**" : row.line.exception.map { " (\($0))" } ?? ""
    return "| " + cells.joined(separator: " | ") + verdict + " |"
  }

  /// Measures a line in a separate process.
  private func measure(_ line: Line, _ number: Int) -> Row {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["--line", "\(number)", "--most", "\(options.most)"]
    let (output, ended) = (Pipe(), DispatchSemaphore(value: 0))
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { _ in ended.signal() }
    do { try process.run() } catch { return Row(line: line, growth: Growth(costs: []), end: "\(error)") }
    var end: String?
    if ended.wait(timeout: .now() + Table.patience) == .timedOut {
      end = "too long"
      process.terminate()
      process.waitUntilExit()
    } else if process.terminationStatus != 0 {
      end = "crash"
    }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let costs = text.split(separator: "\n").compactMap { line -> Cost? in
      let parts = line.split(separator: " ").compactMap { Double($0) }
      return parts.count == 3 ? Cost(locked: Int(parts[0]), longest: Int(parts[1]), time: parts[2]) : nil
    }
    return Row(line: line, growth: Growth(costs: costs), end: end)
  }
}
