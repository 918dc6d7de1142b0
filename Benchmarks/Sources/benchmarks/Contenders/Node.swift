// V8's own promises, if Node is installed. One Node process makes all measurements, one after another, so
// that its compiler has warmed up before the first measured round.

import BenchmarkKit
import Foundation

final class Node {
  /// `nil` if there is no `node` on the path.
  static let contender = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { URL(fileURLWithPath: "\($0)/node") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    .map { program in
      let able: [Workload] = [.w1, .w2, .w3, .w4, .w5, .w5c, .w6, .w7]
      let runs = able.map { workload -> (Workload, Run) in
        (workload, { try node(program).ask("\(workload.rawValue) \($0)") })
      }
      return Contender("Node", Dictionary(uniqueKeysWithValues: runs))
    }

  nonisolated(unsafe) private static var current: Node?

  private static func node(_ program: URL) throws -> Node {
    if let current { return current }
    let new = try Node(program)
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

  private func ask(_ question: String) throws -> Figures {
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
    return Figures(figure)
  }
}
