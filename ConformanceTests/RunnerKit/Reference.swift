import Foundation
import PromisesAPlusSuite

/// The chapter on ECMAScript's combinators on the promises of a JavaScript engine: a check of the cases, not
/// of a promise library.
public struct Reference: Sendable {
  /// One script's result.
  private struct Answer: Decodable {
    let id: String
    /// `nil` if the engine's promises behave as the case expects.
    let message: String?
    /// Whether the engine lacks the combinator.
    let isAbsent: Bool
  }

  private let executable: URL
  private let name: String

  /// The engine of this name on the path of `environment`.
  public init(
    _ name: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(UsageError) {
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let found = folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let found else { throw UsageError("--reference: there is no '\(name)' on the path") }
    self.name = name
    executable = URL(fileURLWithPath: found)
  }

  /// Plays all scripts; the report, and whether the engine agrees with each.
  public func run() throws -> (text: String, agrees: Bool) {
    try run(CombinatorScript.all)
  }

  /// The same for chosen scripts.
  package func run(_ scripts: [CombinatorScript]) throws -> (text: String, agrees: Bool) {
    let answers = try JSONDecoder().decode([Answer].self, from: output(JSONEncoder().encode(scripts)))
    guard answers.map(\.id) == scripts.map(\.id) else {
      throw UsageError("\(name) has not played every case")
    }
    var lines: [String] = []
    for (script, answer) in zip(scripts, answers) {
      guard let message = answer.message, !answer.isAbsent else { continue }
      lines += ["✗ \(script.id) \(script.title)", "    \(message)"]
    }
    let absent = Set(zip(scripts, answers).filter(\.1.isAbsent).map(\.0.combinator.rawValue)).sorted()
    if !absent.isEmpty { lines.append("\(name) has no \(absent.joined(separator: " and no "))") }
    let skipped = answers.count(where: \.isAbsent)
    let disagreements = answers.count { $0.message != nil && !$0.isAbsent }
    lines.append(
      "\(answers.count) cases of ECMAScript's combinators: \(name) agrees with "
        + "\(answers.count - skipped - disagreements), disagrees with \(disagreements), lacks \(skipped)")
    return (lines.joined(separator: "\n") + "\n", disagreements == 0)
  }

  /// What the engine writes when it is given `input`.
  private func output(_ input: Data) throws -> Data {
    let process = Process()
    process.executableURL = executable
    process.arguments = ["-e", ReferenceScript.text]
    let (stdin, stdout) = (Pipe(), Pipe())
    process.standardInput = stdin
    process.standardOutput = stdout
    try process.run()
    try stdin.fileHandleForWriting.write(contentsOf: input)
    try stdin.fileHandleForWriting.close()
    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw UsageError("\(name) ended with status \(process.terminationStatus)")
    }
    return output
  }
}
