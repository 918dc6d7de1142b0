// V8's own promises, where Node is installed: a process that is asked for one measurement after the other.

import BenchmarkKit
import Foundation

struct NodePromise: Contender {
  let name: String
  private let program: URL

  /// `nil` where there is no `node` on the path.
  static let found: NodePromise? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    for folder in path.split(separator: ":") {
      let program = URL(fileURLWithPath: String(folder)).appendingPathComponent("node")
      if FileManager.default.isExecutableFile(atPath: program.path) {
        return NodePromise(name: "Node", program: program)
      }
    }
    return nil
  }()

  var runs: [Workload: Run] {
    let able: [Workload] = [.w1, .w2, .w3, .w4, .w5, .w6, .w7, .w8a]
    var runs: [Workload: Run] = [:]
    for workload in able {
      runs[workload] = { [program] count in
        try Conversation.current(with: program).ask("\(workload.rawValue) \(count)")
      }
    }
    return runs
  }

  /// One process for all rounds, so that its compiler has warmed up as ours has before we start.
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

    func ask(_ question: String) throws -> Double {
      try questions.fileHandleForWriting.write(contentsOf: Data("\(question)\n".utf8))
      var answer = ""
      while !answer.hasSuffix("\n") {
        guard let part = try answers.fileHandleForReading.read(upToCount: 1), !part.isEmpty else {
          Self.current = nil
          throw Failure("node ended")
        }
        answer += String(decoding: part, as: UTF8.self)
      }
      guard let figure = Double(answer.dropLast()) else { throw Failure("node says \(answer)") }
      return figure
    }
  }
}
