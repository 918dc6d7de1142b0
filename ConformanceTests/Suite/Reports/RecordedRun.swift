import Foundation

extension CaseOutcome {
  var isFailure: Bool { if case .failed = self { true } else { false } }
  var isDeviation: Bool { if case .deviated = self { true } else { false } }
  var isNotExpressible: Bool { if case .notExpressible = self { true } else { false } }
}

/// The record of one subject (an implementation, or one of its execution contexts).
public struct RecordedRun: Sendable {
  /// The subject's short name.
  public let name: String
  /// A description of the subject in one line, which may be empty.
  public let summary: String
  /// The results so far.
  public let cases: [CaseResult]
  /// The time of the run so far, in seconds.
  public let duration: TimeInterval
  /// Whether all chosen cases have ended.
  public let isComplete: Bool
  /// The case that was running when the record was made.
  public let running: ConformanceCase?
  /// The selectors of declared deviations that match no case of the suite.
  public let unknownSelectors: [String]
  /// The selectors of declared deviations that match only inexpressible cases, by the results so far.
  public let impossibleSelectors: [String]
}

extension RecordedRun {
  /// Creates the record of a single, complete run.
  public init(name: String, summary: String = "", _ report: ConformanceReport) {
    self.init(
      name: SafeText.line(name, most: 60), summary: SafeText.line(summary), cases: report.results,
      duration: report.duration, isComplete: true, running: nil, unknownSelectors: report.unknownSelectors,
      impossibleSelectors: report.impossibleSelectors)
  }

  /// Whether the run is complete and not empty, no case failed, and each declaration named a case that could
  /// deviate.
  public var isAsDeclared: Bool {
    isComplete && !cases.isEmpty && counts.failed == 0 && wrongDeclarations.isEmpty
  }

  /// The declared deviations that cannot occur, in words.
  var wrongDeclarations: [String] {
    unknownSelectors.map { "the declared deviation \(SafeText.line($0, most: 60)) names no case" }
      + impossibleSelectors.map {
        "the declared deviation \(SafeText.line($0, most: 60)) names only cases that cannot be expressed"
      }
  }

  var outcomes: [String: CaseOutcome] {
    Dictionary(cases.map { ($0.testCase.id, $0.outcome) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether the run started but did not reach its end.
  var breaksOff: Bool { !isComplete && (running != nil || !cases.isEmpty) }

  /// The outcomes of official and additional cases together.
  public var counts: OutcomeCounts { OutcomeCounts(cases) }

  /// The outcomes of the official cases.
  public var official: OutcomeCounts { OutcomeCounts(cases.lazy.filter(\.testCase.isOfficial)) }

  /// The outcomes of the additional cases.
  public var beyond: OutcomeCounts { OutcomeCounts(cases.lazy.filter(\.testCase.isBeyond)) }

  /// The outcomes of a chapter's cases.
  public func counts(of chapter: Chapter) -> OutcomeCounts {
    OutcomeCounts(cases.lazy.filter { $0.testCase.chapter == chapter })
  }
}

/// The numbers of cases by outcome.
public struct OutcomeCounts: Equatable, Sendable {
  /// The cases that hold.
  public var passed = 0
  /// The cases that do not hold, or that pass despite a declared deviation.
  public var failed = 0
  /// The cases that deviate as declared.
  public var deviated = 0
  /// The cases that cannot be expressed.
  public var notExpressible = 0

  init() {}

  init(_ cases: some Sequence<CaseResult>) { self.init(outcomes: cases.lazy.map(\.outcome)) }

  init(outcomes: some Sequence<CaseOutcome>) {
    for outcome in outcomes {
      switch outcome {
      case .passed: passed += 1
      case .failed: failed += 1
      case .deviated: deviated += 1
      case .notExpressible: notExpressible += 1
      }
    }
  }

  /// The number of all cases.
  public var total: Int { passed + failed + deviated + notExpressible }

  /// The counts in words, without zero counts, such as `868 passed, 4 not expressible`.
  public var words: String {
    var parts = ["\(passed) passed"]
    if failed > 0 { parts.append("\(failed) failed") }
    if deviated > 0 { parts.append("\(deviated) deviated as declared") }
    if notExpressible > 0 { parts.append("\(notExpressible) not expressible") }
    return parts.joined(separator: ", ")
  }

  static func + (left: OutcomeCounts, right: OutcomeCounts) -> OutcomeCounts {
    var sum = left
    sum.passed += right.passed
    sum.failed += right.failed
    sum.deviated += right.deviated
    sum.notExpressible += right.notExpressible
    return sum
  }
}

/// Collects the events of a run. A report can be made at any time, even about an interrupted run.
///
/// Pass ``record(_:)`` to the run as its observer. Call ``snapshot()`` from any thread.
public final class RunRecorder: Sendable {
  private let name: String
  private let summary: String
  private let planned: Int
  private let deviations: [Deviation]
  private let lock = NSLock()
  nonisolated(unsafe) private var results: [CaseResult] = []
  nonisolated(unsafe) private var running: ConformanceCase?

  /// Creates a recorder for a run of `cases` cases. `deviations` are the declared deviations of the run.
  public init(name: String, summary: String = "", cases: Int, deviations: [Deviation] = []) {
    (self.name, self.summary) = (SafeText.line(name, most: 60), SafeText.line(summary))
    (planned, self.deviations) = (cases, deviations)
  }

  /// Records an event.
  public func record(_ event: RunEvent) {
    lock.withLock {
      switch event {
      case .started(let testCase):
        running = testCase
      case .finished(let result):
        running = nil
        results.append(result)
      }
    }
  }

  /// The current record. Its duration is the sum for the cases that have ended.
  public func snapshot() -> RecordedRun {
    lock.withLock {
      RecordedRun(
        name: name, summary: summary, cases: results, duration: results.reduce(0) { $0 + $1.duration },
        isComplete: results.count == planned, running: running,
        unknownSelectors: Deviation.unknownSelectors(of: deviations),
        impossibleSelectors: Deviation.impossibleSelectors(of: deviations, results))
    }
  }
}
