import Foundation

/// How a case ended.
public enum CaseOutcome: Sendable, Equatable {
  /// It holds.
  case passed
  /// It does not hold, or hangs, or passes although a deviation was declared; with a message for people.
  case failed(String)
  /// It cannot be expressed in Swift, or in the implementation's types; with the reason.
  case notExpressible(String)
  /// It deviates as declared, with the declared reason.
  case deviated(String)
}

/// A case and its outcome.
public struct CaseResult: Sendable, CustomStringConvertible {
  /// The case.
  public let testCase: ConformanceCase
  /// How it ended.
  public let outcome: CaseOutcome
  /// Its duration, in seconds.
  public let duration: TimeInterval
  /// Whether the case was skipped because other cases of its section hung
  /// (``ConformanceRun/maximumHangs``). It has failed, or deviates as declared.
  public let isGivenUp: Bool

  /// The outcome, the case's id and title, and the outcome's message.
  public var description: String {
    let name = "\(testCase.id) \(testCase.title)"
    return switch outcome {
    case .passed: "passed: \(name)"
    case .failed(let message): "failed: \(name): \(message)"
    case .notExpressible(let reason): "not expressible: \(name): \(reason)"
    case .deviated(let reason): "deviates: \(name): \(reason)"
    }
  }
}

/// An event of a run.
public enum RunEvent: Sendable {
  /// A case starts.
  case started(ConformanceCase)
  /// A case has ended.
  case finished(CaseResult)
}

/// Cases that an implementation, or one of its contexts, is known not to satisfy. A declared deviation that
/// does not occur is a failure, and so is an undeclared one.
public struct Deviation: Sendable {
  /// Case ids and clauses, as ``ConformanceCase/matches(_:)`` reads them.
  public let selectors: [String]
  /// Why.
  public let reason: String

  /// Declares that the selected cases deviate.
  public init(_ selectors: String..., reason: String) {
    self.selectors = selectors
    self.reason = reason
  }

  /// The selectors that name no case of the suite.
  static func unknownSelectors(of deviations: [Deviation]) -> [String] {
    deviations.flatMap(\.selectors).filter { ConformanceSuite.cases(matching: $0).isEmpty }
  }

  /// The selectors whose cases are all inexpressible, in Swift or in the implementation's types. A case
  /// that was skipped for another reason might have deviated.
  static func impossibleSelectors(of deviations: [Deviation], notExpressible: Set<String>) -> [String] {
    deviations.flatMap(\.selectors).filter { selector in
      let cases = ConformanceSuite.cases(matching: selector)
      return !cases.isEmpty
        && cases.allSatisfy { $0.inexpressible != nil || notExpressible.contains($0.id) }
    }
  }
}

/// The results of a run, in the order of the cases.
public struct ConformanceReport: Sendable {
  /// One per case that was run.
  public let results: [CaseResult]
  /// The run's duration, in seconds.
  public let duration: TimeInterval
  /// Selectors of declared deviations that name no case of the suite: a declaration that can never occur.
  public let unknownSelectors: [String]
  /// Selectors of declared deviations that name only inexpressible cases, in Swift or in the
  /// implementation's types: a declaration that could not occur.
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

  /// Whether everything ended as declared: no failure, and every declared deviation occurred.
  public var isAsDeclared: Bool {
    failures.isEmpty && unknownSelectors.isEmpty && impossibleSelectors.isEmpty
  }
}
