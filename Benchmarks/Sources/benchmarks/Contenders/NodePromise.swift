// V8's own promises, if Node is installed. One Node process makes all measurements, one after another.

import BenchmarkKit
import Foundation

struct NodePromise: Contender {
  let name: String
  let isElsewhere = true
  private let program: URL

  /// `nil` if there is no `node` on the path.
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
    let able: [Workload] = [.w1, .w2, .w3, .w4, .w5, .w6, .w7]
    var runs: [Workload: Run] = [:]
    for workload in able {
      runs[workload] = { [program] count in try Self.ask(program, workload, count)[0] }
    }
    return runs
  }

  var chains: [Workload: ChainRun] {
    let chain: ChainRun = { [program] count in
      let figures = try Self.ask(program, .w2, count)
      return ChainTime(total: figures[0], ending: figures[1])
    }
    return [.w2: chain, .w8a: chain]
  }

  /// The total time. For W2, a second figure follows: the time after the chain was built.
  private static func ask(_ program: URL, _ workload: Workload, _ count: Int) throws -> [Double] {
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
