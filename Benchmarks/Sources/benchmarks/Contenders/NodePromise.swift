// V8's own promises, if Node is installed. One Node process makes all measurements, one after another.

import BenchmarkKit
import Foundation

struct NodePromise: Contender {
  let name = "Node"
  private let program: URL

  /// `nil` if there is no `node` on the path.
  static let found = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { URL(fileURLWithPath: "\($0)/node") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    .map { NodePromise(program: $0) }

  var runs: [Workload: Run] {
    let able: [Workload] = [.w1, .w2, .w3, .w4, .w5, .w5c, .w6, .w7]
    let runs = able.map { workload -> (Workload, Run) in (workload, { try ask(workload, $0) }) }
    return Dictionary(uniqueKeysWithValues: runs)
  }

  @Sendable private func ask(_ workload: Workload, _ count: Int) throws -> Figures {
    let answer = try Conversation.current(with: program).ask("\(workload.rawValue) \(count)")
    guard let figure = Double(answer.dropLast()) else { throw Failure("node says \(answer)") }
    return Figures(figure)
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
