import Foundation
import PromisesAPlusSuite

/// The promises of a JavaScript engine as a subject of the suite. Such a run tests the cases, not a library.
struct Reference: Sendable {
  /// The engine as a context.
  let subject: Subject
  private let adapter: EngineAdapter

  /// Finds the engine of this name on the path, unless the name is a path itself, and starts it. If the
  /// engine ends, `whenItEnds` receives the reason.
  init(_ name: String, whenItEnds: @escaping @Sendable (String) -> Void = { _ in }) throws {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let paths = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
    let found = paths.first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let found else { throw UsageError("--reference: there is no '\(name)' on the path") }
    let adapter = EngineAdapter(try Engine(URL(fileURLWithPath: found), whenItEnds))
    self.adapter = adapter
    subject = Subject(
      name: name, summary: "the promises of \(name) \(adapter.engine.version)", deviations: [Self.rings]
    ) { adapter }
  }

  private static let rings = Deviation(
    "2.3.1+ring-of-2", "2.3.1+ring-of-3", "2.3.1+through-handler", "2.3.1+closed-by-two-threads",
    reason: "ECMAScript only notices a promise that is resolved with itself")

  /// Runs programs one at a time, because the engine has one thread.
  func run(_ programs: ProgramRun, _ recorder: ProgramRecorder) -> ProgramReport {
    var programs = programs
    programs.workers = 1
    return programs.run(adapter.holding, recorder)
  }
}
