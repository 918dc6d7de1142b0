import Foundation

/// The report as one JSON document for programs, with counts and with every case of every subject.
public struct JSONReport: Sendable {
  /// Makes the format, which has no options.
  public init() {}

  /// The document, ending with a line break. Its keys are sorted, so that documents can be compared.
  public func render(_ report: MatrixReport) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Encoding cannot fail, because the document has only strings, whole numbers and finite numbers.
    guard let data = try? encoder.encode(Document(report)) else { return "{}\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  private struct Document: Encodable {
    let suite = "Promises/A+ 1.1"
    let asDeclared, interrupted: Bool
    let verdict: String
    let duration: Double
    let official: Official
    let beyond: Int
    let counts, officialCounts, beyondCounts: [String: Int]
    let chapterCounts: [String: [String: Int]]
    let contexts: [Context]
    let programs: Programs?

    init(_ report: MatrixReport) {
      (asDeclared, interrupted) = (report.isAsDeclared, report.interrupted)
      (verdict, duration) = (report.verdict, report.duration)
      official = Official(report)
      beyond = report.census.beyond
      counts = report.counts.byOutcome
      officialCounts = report.official.byOutcome
      beyondCounts = report.beyond.byOutcome
      chapterCounts = JSONReport.byChapter { report.counts(of: $0) }
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
    let shard: String
    let threads: Int
    let duration: Double
    let notExpressible: String?
    let failure: Failure?

    init(_ report: ProgramReport) {
      (count, seed) = (report.programs, report.seed)
      shard = "\(report.shard.index)/\(report.shard.count)"
      threads = report.threads
      (duration, notExpressible) = (report.duration, report.notExpressible)
      failure = report.failure.map { failure in
        Failure(
          seed: failure.seed, clause: failure.clause, message: failure.message, steps: failure.steps,
          swift: failure.swiftSource)
      }
    }
  }

  private struct Official: Encodable {
    let total, chosen, ported: Int
    let inexpressible: [[String: String]]

    init(_ report: MatrixReport) {
      let census = report.census
      (total, chosen, ported) = (OfficialClauses.caseCount, census.official, census.ported)
      inexpressible = report.cases.filter { $0.chapter == .promisesAPlus }.compactMap { testCase in
        testCase.inexpressible.map { ["id": testCase.id, "reason": $0] }
      }
    }
  }

  /// The counts of the chapters that have run, by name.
  private static func byChapter(_ counts: (Chapter) -> OutcomeCounts) -> [String: [String: Int]] {
    Dictionary(uniqueKeysWithValues: Chapter.ran(counts).map { ($0.rawValue, counts($0).byOutcome) })
  }

  private struct Context: Encodable {
    let name, summary: String
    let asDeclared, complete: Bool
    let running: String?
    let unknownSelectors, impossibleSelectors: [String]
    let duration: Double
    let counts, officialCounts, beyondCounts: [String: Int]
    let chapterCounts: [String: [String: Int]]
    let cases: [Case]

    init(_ run: RecordedRun) {
      (name, summary) = (run.name, run.summary)
      (asDeclared, complete) = (run.isAsDeclared, run.isComplete)
      running = run.running?.id
      (unknownSelectors, impossibleSelectors) = (run.unknownSelectors, run.impossibleSelectors)
      duration = run.duration
      counts = run.counts.byOutcome
      officialCounts = run.official.byOutcome
      beyondCounts = run.beyond.byOutcome
      chapterCounts = JSONReport.byChapter { run.counts(of: $0) }
      cases = run.cases.map(Case.init)
    }
  }

  private struct Case: Encodable {
    let id, clause, title: String
    let officialNumber: Int?
    let outcome: String
    let message: String?
    let duration: Double
    let rounds, failedRounds: Int

    init(_ recorded: RecordedCase) {
      let testCase = recorded.testCase
      (id, clause, title) = (testCase.id, testCase.clause, testCase.title)
      officialNumber = testCase.officialNumber
      outcome =
        switch recorded.outcome {
        case .passed: "passed"
        case .failed: "failed"
        case .deviated: "deviated"
        case .notExpressible: "notExpressible"
        }
      message = recorded.message
      duration = recorded.duration
      (rounds, failedRounds) = (recorded.rounds, recorded.failedRounds)
    }
  }
}

extension OutcomeCounts {
  fileprivate var byOutcome: [String: Int] {
    ["passed": passed, "failed": failed, "deviated": deviated, "notExpressible": notExpressible]
  }
}
