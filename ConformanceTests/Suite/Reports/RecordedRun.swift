import Foundation

/// The outcome of one case on one subject, over all rounds.
public struct RecordedCase: Sendable {
  /// The case.
  public let testCase: ConformanceCase
  /// The worst outcome of all rounds. A case that failed in one round has failed.
  public private(set) var outcome: CaseOutcome
  /// The duration of all rounds, in seconds.
  public private(set) var duration: TimeInterval
  /// The number of rounds that have ended.
  public private(set) var rounds: Int
  /// The number of failed rounds.
  public private(set) var failedRounds: Int

  init(_ result: CaseResult) {
    testCase = result.testCase
    outcome = result.outcome
    duration = result.duration
    rounds = 1
    failedRounds = result.outcome.isFailure ? 1 : 0
  }

  mutating func add(_ result: CaseResult) {
    rounds += 1
    duration += result.duration
    if result.outcome.isFailure { failedRounds += 1 }
    if result.outcome.rank > outcome.rank { outcome = result.outcome }
  }

  /// The failure's message, or the reason for a deviation or an inexpressible case; `nil` for a passed case.
  /// If only some rounds failed, the message contains their number.
  public var message: String? {
    switch outcome {
    case .passed: nil
    case .failed(let text):
      failedRounds < rounds ? "in \(failedRounds) of \(rounds) rounds: \(text)" : text
    case .notExpressible(let text), .deviated(let text): text
    }
  }
}

extension CaseOutcome {
  var isFailure: Bool { if case .failed = self { true } else { false } }
  var isDeviation: Bool { if case .deviated = self { true } else { false } }
  var isNotExpressible: Bool { if case .notExpressible = self { true } else { false } }

  /// The severity. A higher rank is a worse outcome.
  fileprivate var rank: Int {
    switch self {
    case .passed: 0
    case .notExpressible: 1
    case .deviated: 2
    case .failed: 3
    }
  }
}

/// The record of one subject (an implementation, or one of its execution contexts).
public struct RecordedRun: Sendable {
  /// The subject's short name, for the command line.
  public let name: String
  /// A description of the subject in one line, which may be empty.
  public let summary: String
  /// The cases that have ended, in the order in which they first ended.
  public let cases: [RecordedCase]
  /// The time of the run so far, in seconds.
  public let duration: TimeInterval
  /// Whether all rounds of all chosen cases have ended.
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
      name: name, summary: summary, cases: report.results.map(RecordedCase.init), duration: report.duration,
      isComplete: true, running: nil, unknownSelectors: report.unknownSelectors,
      impossibleSelectors: report.impossibleSelectors)
  }

  /// Whether the run is complete and not empty, no case failed, and each declaration named a case that could
  /// deviate.
  public var isAsDeclared: Bool {
    isComplete && !cases.isEmpty && counts.failed == 0 && unknownSelectors.isEmpty
      && impossibleSelectors.isEmpty
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

  init(_ cases: some Sequence<RecordedCase>) {
    self.init(outcomes: cases.lazy.map(\.outcome))
  }

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
