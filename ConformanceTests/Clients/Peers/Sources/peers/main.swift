// Runs the suite on other libraries' futures, and prints a table. With names such as `tutorial` or `nio`, it
// prints the whole reports of these peers.
//
// Each peer runs in its own process, because a promise whose chains recurse may crash. After a crash, the
// case that was running counts as failed, and the other cases run again.

import Foundation
import NIOPosix
import PromisesAPlusSuite

let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
let peers: [(key: String, title: String, run: (ConformanceRun, (RunEvent) -> Void) -> ConformanceReport)] = [
  ("tutorial", "a tutorial's promise", { $0.run(TutorialAdapter(), observer: $1) }),
  (
    "nio", "SwiftNIO `EventLoopFuture`",
    { $0.run(EventLoopFutureAdapter(loop: group.next()), observer: $1) }
  ),
]

@MainActor func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

/// Measures one peer, in its own process. Prints the id of each case that begins, and the results at the end.
@MainActor func measure(_ key: String, without crashing: [String]) {
  guard let peer = peers.first(where: { $0.key == key }) else { exit(64) }
  let run = ConformanceRun(cases: ConformanceSuite.cases.filter { !crashing.contains($0.id) })
  let report = peer.run(run) { event in
    if case .started(let testCase) = event { say("begins \(testCase.id)") }
  }
  let impossible = report.results.count { if case .notExpressible = $0.outcome { true } else { false } }
  let failures = report.failures.count
  let held = report.results.count - failures - impossible
  say(
    "row | \(peer.title) | \(held) | \(failures + crashing.count) | \(impossible) | "
      + crashing.joined(separator: ", ") + " |")
  say("report \(report.description.replacing("\n", with: "\u{2028}"))")  // each message is one line
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
if words.isEmpty { say("| | hold | fail | not expressible | crashes |\n| --- | --- | --- | --- | --- |") }
for peer in peers where words.isEmpty || words.contains(peer.key) {
  var skipped: [String] = []
  var last = try output(of: peer.key, without: skipped)
  while last["row"] == nil, let crashed = last["begins"], skipped.count < 50 {
    skipped.append(crashed)
    last = try output(of: peer.key, without: skipped)
  }
  guard let row = last["row"], let report = last["report"] else {
    say("| \(peer.title) | crashes | | | |")
    continue
  }
  say(words.isEmpty ? row : report.replacing("\u{2028}", with: "\n"))
}
