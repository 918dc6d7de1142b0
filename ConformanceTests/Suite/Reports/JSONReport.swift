import Foundation

/// The report as one JSON document, for programs: every case of every subject, with counts on top.
public struct JSONReport: Sendable {
  /// Makes the format, which has no options.
  public init() {}

  /// The document, ending with a line break. Its keys are sorted, so that two documents can be compared.
  public func render(_ report: MatrixReport) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Strings, whole numbers and finite numbers are all that the document holds, so encoding cannot fail.
    guard let data = try? encoder.encode(Document(report)) else { return "{}\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  private struct Document: Encodable {
    let suite = "Promises/A+ 1.1"
    let asDeclared: Bool
    let interrupted: Bool
    let verdict: String
    let duration: Double
    let official: Official
    let beyond: Int
    let counts: Counts
    let officialCounts: Counts
    let beyondCounts: Counts
    let chapterCounts: [String: Counts]
    let contexts: [Context]
    let programs: Programs?

    init(_ report: MatrixReport) {
      asDeclared = report.isAsDeclared
      interrupted = report.interrupted
      verdict = report.verdict
      duration = report.duration
      let census = report.census
      official = Official(
        total: OfficialClauses.caseCount, chosen: census.official, ported: census.ported,
        inexpressible: report.cases.filter { $0.chapter == .promisesAPlus }.compactMap { testCase in
          testCase.inexpressible.map { Inexpressible(id: testCase.id, reason: $0) }
        })
      beyond = census.beyond
      counts = Counts(report.counts)
      officialCounts = Counts(report.official)
      beyondCounts = Counts(report.beyond)
      chapterCounts = Counts.chapters { report.counts(of: $0) }
      contexts = report.runs.map(Context.init)
      programs = report.programs.map(Programs.init)
    }
  }

  private struct Programs: Encodable {
    struct Failure: Encodable {
      let seed: UInt64
      let clause, message, steps, swift: String
    }

    let count: Int
    let seed: UInt64
    let duration: Double
    let notExpressible: String?
    let failure: Failure?

    init(_ report: ProgramReport) {
      (count, seed) = (report.programs, report.seed)
      (duration, notExpressible) = (report.duration, report.notExpressible)
      failure = report.failure.map { failure in
        Failure(
          seed: failure.seed, clause: failure.clause, message: failure.message, steps: failure.steps,
          swift: failure.swiftSource)
      }
    }
  }

  private struct Official: Encodable {
    let total: Int
    let chosen: Int
    let ported: Int
    let inexpressible: [Inexpressible]
  }

  private struct Inexpressible: Encodable {
    let id: String
    let reason: String
  }

  private struct Counts: Encodable {
    let passed: Int
    let failed: Int
    let deviated: Int
    let notExpressible: Int

    init(_ counts: OutcomeCounts) {
      passed = counts.passed
      failed = counts.failed
      deviated = counts.deviated
      notExpressible = counts.notExpressible
    }

    /// Those of the chapters that have run, by name.
    static func chapters(_ counts: (Chapter) -> OutcomeCounts) -> [String: Counts] {
      var all: [String: Counts] = [:]
      for chapter in Chapter.allCases.dropFirst() where counts(chapter).total > 0 {
        all[chapter.rawValue] = Counts(counts(chapter))
      }
      return all
    }
  }

  private struct Context: Encodable {
    let name: String
    let summary: String
    let asDeclared: Bool
    let complete: Bool
    let running: String?
    let unknownSelectors: [String]
    let impossibleSelectors: [String]
    let duration: Double
    let counts: Counts
    let officialCounts: Counts
    let beyondCounts: Counts
    let chapterCounts: [String: Counts]
    let cases: [Case]

    init(_ run: RecordedRun) {
      name = run.name
      summary = run.summary
      asDeclared = run.isAsDeclared
      complete = run.isComplete
      running = run.running?.id
      unknownSelectors = run.unknownSelectors
      impossibleSelectors = run.impossibleSelectors
      duration = run.duration
      counts = Counts(run.counts)
      officialCounts = Counts(run.official)
      beyondCounts = Counts(run.beyond)
      chapterCounts = Counts.chapters { run.counts(of: $0) }
      cases = run.cases.map(Case.init)
    }
  }

  private struct Case: Encodable {
    let id: String
    let clause: String
    let officialNumber: Int?
    let title: String
    let outcome: String
    let message: String?
    let duration: Double
    let rounds: Int
    let failedRounds: Int

    init(_ recorded: RecordedCase) {
      id = recorded.testCase.id
      clause = recorded.testCase.clause
      officialNumber = recorded.testCase.officialNumber
      title = recorded.testCase.title
      outcome =
        switch recorded.outcome {
        case .passed: "passed"
        case .failed: "failed"
        case .deviated: "deviated"
        case .notExpressible: "notExpressible"
        }
      message = recorded.message
      duration = recorded.duration
      rounds = recorded.rounds
      failedRounds = recorded.failedRounds
    }
  }
}
