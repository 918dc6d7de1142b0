import Foundation

/// The records of one or more subjects, and their sums. Every report format has a matrix report as its input.
public struct MatrixReport: Sendable {
  /// One record per subject, in display order.
  public let runs: [RecordedRun]
  /// The total time, in seconds.
  public let duration: TimeInterval
  /// The reason why the run was stopped before its end; `nil` if it was not.
  public let interruption: String?
  /// The results of runs of random programs.
  public let programs: [ProgramReport]

  /// Creates a report about `runs`. The default duration is the sum of their durations.
  public init(
    _ runs: [RecordedRun], duration: TimeInterval? = nil, interruption: String? = nil,
    programs: [ProgramReport] = []
  ) {
    (self.runs, self.programs) = (runs, programs)
    self.duration = duration ?? runs.reduce(0) { $0 + $1.duration }
    self.interruption = interruption
  }

  /// Whether everything ran and ended as declared. It is `false` for an empty report, which proves nothing.
  public var isAsDeclared: Bool {
    interruption == nil && !isEmpty && programs.allSatisfy { $0.problem == nil }
      && runs.allSatisfy(\.isAsDeclared)
  }

  /// Whether neither a case nor a program has a result.
  private var isEmpty: Bool {
    cases.isEmpty && !programs.contains { $0.isSuccess || $0.failure != nil }
  }

  /// Every case with a result on some subject, once, in the order of the cases.
  public var cases: [ConformanceCase] {
    var seen: Set<String> = []
    return runs.flatMap(\.cases).map(\.testCase).filter { seen.insert($0.id).inserted }
  }

  /// The numbers of official and additional cases in the report.
  public var census: CaseCensus { CaseCensus(cases) }

  /// The outcomes of all cases, on all subjects together.
  public var counts: OutcomeCounts { runs.map(\.counts).reduce(OutcomeCounts(), +) }

  /// The outcomes of the official cases, on all subjects together.
  public var official: OutcomeCounts { runs.map(\.official).reduce(OutcomeCounts(), +) }

  /// The outcomes of the additional cases, on all subjects together.
  public var beyond: OutcomeCounts { runs.map(\.beyond).reduce(OutcomeCounts(), +) }

  /// The outcomes of a chapter's cases, on all subjects together.
  public func counts(of chapter: Chapter) -> OutcomeCounts {
    runs.map { $0.counts(of: chapter) }.reduce(OutcomeCounts(), +)
  }

  /// The chapters outside Promises/A+ that have results.
  var chapters: [Chapter] { Chapter.ran(counts) }

  /// The result of the run, in one sentence.
  public var verdict: String {
    if let interruption { return interruption }
    if isEmpty { return "nothing ran" }
    if isAsDeclared { return "everything ended as declared" }
    let failed = counts.failed
    if failed > 0 { return "\(failed) \(failed == 1 ? "result is" : "results are") not as declared" }
    if let programs = programs.first(where: { $0.problem != nil }) {
      return programs.failure == nil ? programs.description : "a random program fails"
    }
    return runs.lazy.flatMap(\.wrongDeclarations).first ?? "not everything ran"
  }

  /// A sentence about a machine on which races show less often; `nil` if there are enough processors.
  var processorNote: String? {
    Self.processors > 1
      ? nil : "Only one processor was there, so a race may have been missed: repeat this on two."
  }

  /// The number of processors on which this process may run. Linux tells in a mask of hexadecimal digits.
  private static let processors: Int = {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    guard let mask = status?.firstMatch(of: /Cpus_allowed:\s*([0-9a-f,]+)/)?.1 else {
      return ProcessInfo.processInfo.activeProcessorCount
    }
    return mask.reduce(0) { $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount }
  }()
}

/// The numbers of official cases, additional cases, and cases in chapters.
public struct CaseCensus: Equatable, Sendable {
  /// The cases of the official suite.
  public var official = 0
  /// The official cases that Swift cannot express.
  public var inexpressible = 0
  /// The additional cases about Promises/A+.
  public var beyond = 0
  /// The cases of chapters outside Promises/A+.
  public var chapters = 0

  /// Counts `cases`.
  public init(_ cases: some Sequence<ConformanceCase>) {
    for testCase in cases {
      if testCase.chapter != .promisesAPlus {
        chapters += 1
        continue
      }
      if !testCase.isOfficial { beyond += 1 } else { official += 1 }
      if testCase.inexpressible != nil { inexpressible += 1 }
    }
  }

  /// The ported official cases.
  public var ported: Int { official - inexpressible }
}
