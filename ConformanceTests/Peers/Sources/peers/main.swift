// The table of docs/peers.md, on standard output; with a name (`tutorial`) that one's whole report.

import DynamicPromise
import Foundation
import NIOPosix
import PromisesAPlusSuite

Promise.onUnhandledRejection = nil

let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
let peers: [(key: String, title: String, run: (ConformanceRun) -> ConformanceReport)] = [
  ("ours", "DynamicPromise", { $0.run(DynamicPromiseAdapter()) }),
  ("tutorial", "a tutorial's promise", { $0.run(TutorialAdapter()) }),
  ("nio", "SwiftNIO `EventLoopFuture`", { $0.run(EventLoopFutureAdapter(loop: group.next())) }),
  ("combine", "OpenCombine `Future`", { $0.run(CombineFutureAdapter()) }),
  ("task", "Swift `Task`", { $0.run(TaskAdapter()) }),
]

func row(_ title: String, _ report: ConformanceReport) -> String {
  let official = report.official
  let beyond = report.beyond
  let clauses = report.failures.filter(\.testCase.isOfficial).map(\.testCase.clause)
  let sections = Set(clauses.map { $0.split(separator: ".").prefix(3).joined(separator: ".") }).sorted()
  let good = official.passed + official.deviated
  let time = report.duration.formatted(.number.precision(.fractionLength(1)))
  return "| \(title) | \(good) | \(official.failed) | \(official.notExpressible) "
    + "| \(sections.joined(separator: ", ")) | \(beyond.passed + beyond.deviated) | \(beyond.failed) "
    + "| \(beyond.notExpressible) | \(time) s |"
}

let wanted = CommandLine.arguments.dropFirst()
if let unknown = wanted.first(where: { word in !peers.contains { $0.key == word } }) {
  FileHandle.standardError.write(Data("no peer is called \(unknown)\n".utf8))
  exit(64)
}
for peer in peers where wanted.contains(peer.key) { print(peer.run(ConformanceRun())) }
if wanted.isEmpty {
  print(
    "| | 872: hold | fail | cannot be said | sections with failures "
      + "| beyond: hold | fail | cannot be said | time |"
  )
  print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
  for peer in peers { print(row(peer.title, peer.run(ConformanceRun()))) }
}
