import Foundation

/// The outcome of a case.
public enum CaseOutcome: Sendable, Equatable {
  /// The case holds.
  case passed
  /// The case does not hold, hangs, or passes despite a declared deviation. The message is human-readable.
  case failed(String)
  /// The case cannot be expressed in Swift or in the implementation's types. The text is the reason.
  case notExpressible(String)
  /// The case deviates as declared. The text is the declared reason.
  case deviated(String)
}

/// A case and its outcome.
public struct CaseResult: Sendable, CustomStringConvertible {
  /// The case.
  public let testCase: ConformanceCase
  /// The outcome of the case.
  public let outcome: CaseOutcome
  /// The duration of the case, in seconds.
  public let duration: TimeInterval
  /// Whether the case was skipped because other cases of its section hung (``ConformanceRun/maximumHangs``).
  /// A skipped case has failed, or deviates as declared.
  public let isGivenUp: Bool

  /// The failure's message, or the reason for a deviation or an inexpressible case; `nil` for a passed case.
  public var message: String? {
    switch outcome {
    case .passed: nil
    case .failed(let text), .notExpressible(let text), .deviated(let text): text
    }
  }

  /// The outcome, the case's id and title, and the outcome's message, in one line.
  public var description: String {
    let kind =
      switch outcome {
      case .passed: "passed"
      case .failed: "failed"
      case .notExpressible: "not expressible"
      case .deviated: "deviates"
      }
    return "\(kind): \(testCase.id) \(testCase.title)" + (message.map { ": \(SafeText.line($0))" } ?? "")
  }
}

/// An event during a run.
public enum RunEvent: Sendable {
  /// A case starts.
  case started(ConformanceCase)
  /// A case has ended.
  case finished(CaseResult)
}

/// Cases that an implementation, or one of its contexts, is known to fail. A declared deviation that does not
/// occur is a failure, and so is an undeclared deviation.
public struct Deviation: Sendable {
  /// Case ids and clauses, as ``ConformanceCase/matches(_:)`` reads them.
  public let selectors: [String]
  /// The reason for the deviation.
  public let reason: String

  /// Declares that the selected cases deviate.
  public init(_ selectors: String..., reason: String) {
    self.selectors = selectors
    self.reason = reason
  }

  /// Returns the selectors that match no case of the suite.
  static func unknownSelectors(of deviations: [Deviation]) -> [String] {
    deviations.flatMap(\.selectors).filter { ConformanceSuite.cases(matching: $0).isEmpty }
  }

  /// Returns the selectors whose cases are all inexpressible, in Swift or in the implementation's types. A
  /// case that was skipped for another reason could have deviated.
  static func impossibleSelectors(of deviations: [Deviation], _ results: [CaseResult]) -> [String] {
    if deviations.isEmpty { return [] }
    let notExpressible = Set(results.lazy.filter(\.outcome.isNotExpressible).map(\.testCase.id))
    return deviations.flatMap(\.selectors).filter { selector in
      let cases = ConformanceSuite.cases(matching: selector)
      return !cases.isEmpty
        && cases.allSatisfy { $0.inexpressible != nil || notExpressible.contains($0.id) }
    }
  }
}

/// The results of a run, in the order of the cases.
public struct ConformanceReport: Sendable {
  /// One result for each case that was run or given up.
  public let results: [CaseResult]
  /// The run's duration, in seconds.
  public let duration: TimeInterval
  /// The selectors of declared deviations that match no case of the suite. Such a deviation can never occur.
  public let unknownSelectors: [String]
  /// The selectors of declared deviations that match only inexpressible cases, in Swift or in the
  /// implementation's types. Such a deviation could not occur.
  public let impossibleSelectors: [String]

  /// The results that make the run a failure.
  public var failures: [CaseResult] { results.filter(\.outcome.isFailure) }

  /// The outcomes of the official cases, for comparison with other implementations.
  public var official: OutcomeCounts {
    OutcomeCounts(outcomes: results.lazy.filter(\.testCase.isOfficial).map(\.outcome))
  }

  /// The outcomes of the additional cases.
  public var beyond: OutcomeCounts {
    OutcomeCounts(outcomes: results.lazy.filter(\.testCase.isBeyond).map(\.outcome))
  }

  /// The outcomes of a chapter's cases.
  public func counts(of chapter: Chapter) -> OutcomeCounts {
    OutcomeCounts(outcomes: results.lazy.filter { $0.testCase.chapter == chapter }.map(\.outcome))
  }

  /// The results of cases that were skipped because other cases of their section hung.
  public var givenUp: [CaseResult] { results.filter(\.isGivenUp) }

  /// The number of passed cases, official and additional.
  public var passedCount: Int { results.count { $0.outcome == .passed } }

  /// The results that deviate as declared.
  public var deviations: [CaseResult] { results.filter(\.outcome.isDeviation) }

  /// The results of cases that cannot be expressed.
  public var notExpressible: [CaseResult] { results.filter(\.outcome.isNotExpressible) }

  /// Whether everything ended as declared: cases ran, none failed, and every declared deviation could occur.
  public var isAsDeclared: Bool {
    !results.isEmpty && failures.isEmpty && unknownSelectors.isEmpty && impossibleSelectors.isEmpty
  }
}
