// V8's own promises, if Node is installed. One Node process makes all measurements, one after another.

import BenchmarkKit
import Foundation

struct NodePromise: Contender {
  let name = "Node"
  let isElsewhere = true
  private let program: URL

  /// `nil` if there is no `node` on the path.
  static let found = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { URL(fileURLWithPath: "\($0)/node") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    .map { NodePromise(program: $0) }

  var runs: [Workload: Run] {
    let able: [Workload] = [.w1, .w3, .w4, .w5, .w6, .w7]
    let runs = able.map { workload -> (Workload, Run) in (workload, { try ask(workload, $0)[0] }) }
    return Dictionary(uniqueKeysWithValues: runs)
  }

  var detailed: [Workload: DetailedRun] { [.w2: chain, .w8a: chain] }

  @Sendable private func chain(_ count: Int) throws -> Figures {
    let figures = try ask(.w2, count).map { $0 / Double(count) }
    return Figures(figures[0], [.ending: figures[1]])
  }

  /// The total time. For W2, a second figure follows: the time after the chain was built.
  private func ask(_ workload: Workload, _ count: Int) throws -> [Double] {
    let answer = try Conversation.current(with: program).ask("\(workload.rawValue) \(count)")
    let figures = answer.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard figures.count == (workload == .w2 ? 2 : 1) else { throw Failure("node says \(answer)") }
    return figures
  }

  /// One process for all rounds, so that Node's compiler has warmed up before the first measured round.
  private final class Conversation {
    nonisolated(unsafe) private static var current: Conversation?

    static func current(with program: URL) throws -> Conversation {
      if let current { return current }
      let new = try Conversation(program)
      current = new
      return new
    }

    private let process = Process()
    private let questions = Pipe()
    private let answers = Pipe()

    private init(_ program: URL) throws {
      let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Node/workloads.js")
      process.executableURL = program
      process.arguments = ["--expose-gc", "--max-old-space-size=8192", script.path]
      process.standardInput = questions
      process.standardOutput = answers
      try process.run()
    }

    func ask(_ question: String) throws -> String {
      try questions.fileHandleForWriting.write(contentsOf: Data("\(question)\n".utf8))
      var answer = ""
      while !answer.hasSuffix("\n") {
        guard let part = try answers.fileHandleForReading.read(upToCount: 1), !part.isEmpty else {
          Self.current = nil
          throw Failure("node ended")
        }
        answer += String(decoding: part, as: UTF8.self)
      }
      return answer
    }
  }
}
