import Foundation

/// How a case ended.
public enum CaseOutcome: Sendable, Equatable {
  /// It holds.
  case passed
  /// It does not hold, or waits for ever, or passes although a deviation was declared; with a message for
  /// people.
  case failed(String)
  /// It cannot be expressed in Swift, or in the implementation's types; with the reason.
  case notExpressible(String)
  /// It deviates as declared, with the declared reason.
  case deviated(String)
}

/// A case and how it ended.
public struct CaseResult: Sendable, CustomStringConvertible {
  /// The case.
  public let testCase: ConformanceCase
  /// How it ended.
  public let outcome: CaseOutcome
  /// How long it took, in seconds.
  public let duration: TimeInterval
  /// Whether the case was not run, because other cases of its section had waited until the deadline
  /// (``ConformanceRun/maximumHangs``): it has failed, or deviates as declared.
  public let isGivenUp: Bool

  init(testCase: ConformanceCase, outcome: CaseOutcome, duration: TimeInterval, isGivenUp: Bool = false) {
    self.testCase = testCase
    self.outcome = outcome
    self.duration = duration
    self.isGivenUp = isGivenUp
  }

  /// The outcome, the case's id and title, and what is said about the outcome.
  public var description: String {
    let name = "\(testCase.id) \(testCase.title)"
    return switch outcome {
    case .passed: "passed: \(name)"
    case .failed(let message): "failed: \(name): \(message)"
    case .notExpressible(let reason): "not expressible: \(name): \(reason)"
    case .deviated(let reason): "deviates: \(name): \(reason)"
    }
  }

  var isNotExpressible: Bool { if case .notExpressible = outcome { true } else { false } }
}

/// What happens during a run, as it happens.
public enum RunEvent: Sendable {
  /// A case begins.
  case started(ConformanceCase)
  /// A case has ended.
  case finished(CaseResult)
}

/// Cases that an implementation, or one of its contexts, is known not to satisfy. A deviation that is
/// declared and does not occur is a failure, just as one that occurs and is not declared.
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

  /// The selectors of which all cases cannot be expressed, in Swift or in the implementation's types. A case
  /// that was not run for another reason might have deviated.
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
  /// How long the run took, in seconds.
  public let duration: TimeInterval
  /// Selectors of declared deviations that name no case of the suite: a declaration that can never occur.
  public let unknownSelectors: [String]
  /// Selectors of declared deviations that name only cases which cannot be expressed, in Swift or in the
  /// implementation's types: a declaration that could not occur.
  public let impossibleSelectors: [String]

  /// The results that make the run a failure.
  public var failures: [CaseResult] {
    results.filter { if case .failed = $0.outcome { true } else { false } }
  }

  /// How the cases of the official suite ended: the figures to compare with those of other implementations.
  public var official: OutcomeCounts {
    OutcomeCounts(outcomes: results.lazy.filter(\.testCase.isOfficial).map(\.outcome))
  }

  /// How the cases ended that the official suite does not have.
  public var beyond: OutcomeCounts {
    OutcomeCounts(outcomes: results.lazy.filter { !$0.testCase.isOfficial }.map(\.outcome))
  }

  /// The results of cases that were not run because other cases of their section had waited until the
  /// deadline.
  public var givenUp: [CaseResult] { results.filter(\.isGivenUp) }

  /// How many cases passed, the official ones and those beyond together.
  public var passedCount: Int { results.count { $0.outcome == .passed } }

  /// The results that deviate as declared.
  public var deviations: [CaseResult] {
    results.filter { if case .deviated = $0.outcome { true } else { false } }
  }

  /// The results of cases that cannot be expressed.
  public var notExpressible: [CaseResult] { results.filter(\.isNotExpressible) }

  /// Whether everything ended as declared: no failure, and no declared deviation that did not occur or could
  /// not.
  public var isAsDeclared: Bool {
    failures.isEmpty && unknownSelectors.isEmpty && impossibleSelectors.isEmpty
  }
}
