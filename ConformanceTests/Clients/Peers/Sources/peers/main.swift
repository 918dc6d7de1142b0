// Prints the tables of docs/peers.md. With names such as `tutorial` or `nio`, it prints the whole reports of
// these peers.
//
// Each peer runs in its own process, because a promise whose chains recurse may crash. After a crash, the
// case that was running counts as failed, and the other cases run again.

import DynamicPromise
import Foundation
import NIOPosix
import PromisesAPlusSuite

Promise.onUnhandledRejection = nil

let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
let peers: [(key: String, title: String, run: (ConformanceRun, (RunEvent) -> Void) -> ConformanceReport)] = [
  ("ours", "DynamicPromise", { $0.run(DynamicPromiseAdapter(), observer: $1) }),
  ("tutorial", "a tutorial's promise", { $0.run(TutorialAdapter(), observer: $1) }),
  (
    "nio", "SwiftNIO `EventLoopFuture`",
    { $0.run(EventLoopFutureAdapter(loop: group.next()), observer: $1) }
  ),
  ("combine", "OpenCombine `Future`", { $0.run(CombineFutureAdapter(), observer: $1) }),
  ("task", "Swift `Task`", { $0.run(TaskAdapter(), observer: $1) }),
]

let allCases = ConformanceSuite.cases + ConformanceSuite.chapters

@MainActor func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

/// The results of one peer. The `crashing` cases end the process, and count as failed.
struct Results {
  let title: String
  let report: ConformanceReport
  let crashing: [ConformanceCase]

  /// Returns one line of the table.
  var row: String {
    let clauses = failed(\.isOfficial).map(\.clause)
    let sections = clauses.map { $0.split(separator: ".").prefix(3).joined(separator: ".") }
    return "| \(title) | \(cells(\.isOfficial)) | \(list(sections)) "
      + "| \(cells(\.isBeyond)) | \(list(crashing.map(\.id))) |"
  }

  /// Returns one line of the table of chapters.
  var chapterRow: String {
    let parts = [Chapter.combinators, .cancellation].map { chapter in cells { $0.chapter == chapter } }
    let clauses = failed { $0.chapter != .promisesAPlus }.map(\.clause)
    return "| \(title) | \(parts.joined(separator: " | ")) | \(list(clauses)) |"
  }

  private func failed(_ isIncluded: (ConformanceCase) -> Bool) -> [ConformanceCase] {
    (report.failures.map(\.testCase) + crashing).filter(isIncluded)
  }

  /// Returns the numbers of cases that hold, that fail and that are not expressible.
  private func cells(_ isIncluded: (ConformanceCase) -> Bool) -> String {
    let own = report.results.filter { isIncluded($0.testCase) }
    let total = own.count + crashing.count(where: isIncluded)
    precondition(total == allCases.count(where: isIncluded), "a row has all cases")
    let impossible = own.count { if case .notExpressible = $0.outcome { true } else { false } }
    let failures = failed(isIncluded).count
    return "\(total - failures - impossible) | \(failures) | \(impossible)"
  }

  private func list(_ names: [String]) -> String { Set(names).sorted().joined(separator: ", ") }
}

/// Measures one peer, in its own process. Prints the id of each case that begins, and the results at the end.
@MainActor func measure(_ key: String, without skipped: [String]) {
  guard let peer = peers.first(where: { $0.key == key }) else { exit(64) }
  let crashing = allCases.filter { skipped.contains($0.id) }
  let run = ConformanceRun(cases: allCases.filter { !skipped.contains($0.id) })
  let report = peer.run(run) { event in
    if case .started(let testCase) = event { say("begins \(testCase.id)") }
  }
  let results = Results(title: peer.title, report: report, crashing: crashing)
  say("row \(results.row)")
  say("chapters \(results.chapterRow)")
  let chapters = report.failures.filter { $0.testCase.chapter != .promisesAPlus }.map(\.description)
  let text = ([report.description] + chapters).joined(separator: "\n")
  say("report \(text.replacing("\n", with: "\u{2028}"))")  // each message is one line
}

/// Returns the last message of each kind from a peer's process. Without the message `row`, the process has
/// crashed.
func output(of key: String, without skipped: [String]) throws -> [String: String] {
  let process = Process()
  process.executableURL = Bundle.main.executableURL
  process.arguments = ["--measure", key] + skipped
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = FileHandle.nullDevice
  try process.run()
  let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  process.waitUntilExit()
  var last: [String: String] = [:]
  for line in text.split(separator: "\n") {
    let parts = line.split(separator: " ", maxSplits: 1)
    if parts.count == 2 { last[String(parts[0])] = String(parts[1]) }
  }
  return last
}

let words = Array(CommandLine.arguments.dropFirst())
if words.first == "--measure" {
  measure(words[1], without: Array(words.dropFirst(2)))
  exit(0)
}
if let unknown = words.first(where: { word in !peers.contains { $0.key == word } }) {
  FileHandle.standardError.write(Data("no peer is called \(unknown)\n".utf8))
  exit(64)
}
if words.isEmpty {
  say(
    "| | 872: hold | fail | not expressible | sections with failures "
      + "| beyond: hold | fail | not expressible | crashes, of all cases |"
  )
  say("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
}
var chapters: [String] = []
for peer in peers where words.isEmpty || words.contains(peer.key) {
  var skipped: [String] = []
  var last = try output(of: peer.key, without: skipped)
  while last["row"] == nil, let crashed = last["begins"], skipped.count < 50 {
    skipped.append(crashed)
    last = try output(of: peer.key, without: skipped)
  }
  guard let row = last["row"], let report = last["report"] else {
    say("| \(peer.title) | crashes | | | | | | | |")
    continue
  }
  chapters.append(last["chapters"] ?? "")
  say(words.isEmpty ? row : report.replacing("\u{2028}", with: "\n"))
}

if words.isEmpty {
  say("")
  say(
    "| | combinators: hold | fail | not expressible "
      + "| cancellation: hold | fail | not expressible | clauses with failures |")
  say("| --- | --- | --- | --- | --- | --- | --- | --- |")
  for row in chapters { say(row) }
}
