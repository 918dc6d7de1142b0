import Foundation

/// Runs cases against an implementation.
///
///     let report = ConformanceRun().run(MyAdapter())
///     print(report)  // a screenful: counts, sections, the first failures
///
/// A run blocks its thread. If a handler context needs the main thread, start the run on another thread.
public struct ConformanceRun: Sendable {
  /// The cases to run, in this order.
  public var cases: [ConformanceCase]
  /// The declared deviations.
  public var deviations: [Deviation]
  /// The time that a case may wait, in seconds.
  ///
  /// A case fails if it still waits at the deadline, or has not returned half a second later. A deadline of
  /// more than a year, such as `.infinity`, means a year, and so does `.nan`.
  public var deadline: TimeInterval
  /// The number of failures after which the run ends early. `nil` means no limit.
  public var maximumFailures: Int?
  /// The number of cases of one section (2.2.6, 2.3.3) that may hang.
  ///
  /// After that many hangs, the section's other cases fail without being run (``CaseResult/isGivenUp``).
  ///
  /// After the first hang, the section's other cases wait at most a tenth of the deadline, or half a second
  /// if that is longer. Cases of other sections wait at most a fifth of the deadline, or one second if that
  /// is longer.
  ///
  /// `nil` means that every case runs and has the whole deadline.
  public var maximumHangs: Int?
  /// The shortest limit for waits after a hang. A case may also take this long to return after its deadline.
  package var moment: TimeInterval = 0.5
  /// The part of the rounds of each race that runs, and of the length of a long line.
  package var effort = 1.0

  /// Creates a run. By default, it has all cases of Promises/A+ and no declared deviations.
  ///
  /// Add ``ConformanceSuite/chapters`` for an implementation that has combinators.
  public init(
    cases: [ConformanceCase] = ConformanceSuite.cases,
    deviations: [Deviation] = [],
    deadline: TimeInterval = 5,
    maximumFailures: Int? = nil,
    maximumHangs: Int? = 3
  ) {
    self.cases = cases
    self.deviations = deviations
    self.deadline = deadline
    self.maximumFailures = maximumFailures
    self.maximumHangs = maximumHangs
  }

  /// Runs the cases one after another and returns the report.
  ///
  /// Each case's id is written to standard error before the case runs, so that the output names the case
  /// after a crash. On a terminal, each id replaces the previous one; in other output, the ids follow each
  /// other.
  public func run(_ adapter: some PromiseAdapter) -> ConformanceReport {
    let progress = ProgressLine.onStandardError(total: cases.count)
    defer { progress.close() }
    return run(adapter) { progress.show($0) }
  }

  /// Runs the cases one after another and returns the report. The calling thread calls `observer` for each
  /// event. Nothing is printed.
  public func run(_ adapter: some PromiseAdapter, observer: (RunEvent) -> Void) -> ConformanceReport {
    let bridge = Bridge(adapter)
    let begin = ContinuousClock.now
    var crew = Crew()
    // A deadline that is no number would make every wait end at once, or none.
    let deadline = deadline.isNaN ? .infinity : deadline
    var patience = Patience(deadline: deadline, maximumHangs: maximumHangs, moment: moment)
    var results: [CaseResult] = []
    var failures = 0
    for testCase in cases {
      if let maximumFailures, failures >= maximumFailures { break }
      observer(.started(testCase))
      let start = ContinuousClock.now
      let verdict = judge(testCase, bridge: bridge, crew: &crew, patience: &patience)
      if case .failed = verdict.outcome { failures += 1 }
      let result = CaseResult(
        testCase: testCase, outcome: verdict.outcome, duration: seconds(since: start),
        isGivenUp: verdict.isGivenUp)
      results.append(result)
      observer(.finished(result))
    }
    crew.dismiss()
    return ConformanceReport(
      results: results, duration: seconds(since: begin),
      unknownSelectors: Deviation.unknownSelectors(of: deviations),
      impossibleSelectors: Deviation.impossibleSelectors(of: deviations, results))
  }

  private func judge(
    _ testCase: ConformanceCase, bridge: Bridge, crew: inout Crew, patience: inout Patience
  ) -> (outcome: CaseOutcome, isGivenUp: Bool) {
    guard case .body(let body) = testCase.content else {
      return (.notExpressible(testCase.inexpressible ?? ""), false)
    }
    let missing = testCase.needs.subtracting(bridge.capabilities)
    guard missing.isEmpty else {
      return (.notExpressible("needs " + missing.names.joined(separator: ", ")), false)
    }
    if let missing = testCase.missing(bridge) { return (.notExpressible(missing), false) }
    let declared = deviations.first { $0.selectors.contains(where: testCase.matches) }
    let isDeclared = declared != nil
    if let reason = patience.reasonToGiveUp(testCase, isDeclared: isDeclared) {
      return (declared.map { .deviated($0.reason) } ?? .failed(reason), true)
    }
    let probe = Probe(
      bridge: bridge, crew: crew, limit: patience.limit(for: testCase, isDeclared: isDeclared), effort: effort
    )
    let failure = failure(of: body, probe: probe, &crew)
    if failure?.isHang == true { patience.noteHang(of: testCase, isDeclared: isDeclared) }
    let outcome: CaseOutcome
    switch (failure, declared) {
    case (nil, nil):
      if testCase.observesOrder, case .scheduling(_, let reason) = bridge.handlerOrder {
        outcome = .deviated("checked where handlers are scheduled: " + reason)
      } else {
        outcome = .passed
      }
    case (let failure?, nil): outcome = .failed(failure.message)
    case (nil, let deviation?):
      let name = deviation.selectors.first(where: testCase.matches) ?? ""
      outcome = .failed("passes, although Deviation(\"\(name)\") declares it: \(deviation.reason)")
    case (_?, let deviation?): outcome = .deviated(deviation.reason)
    }
    return (outcome, false)
  }

  /// Runs one body on the crew. Returns its failure, or `nil` if the case holds.
  private func failure(
    of body: @escaping @Sendable (Probe) throws -> Void, probe: Probe, _ crew: inout Crew
  ) -> CaseFailure? {
    let box = Locked<Result<Void, CaseFailure>?>(nil)
    // The body has a moment more to report, because its own waits end at the deadline.
    let end = probe.deadline + moment
    let returned = crew.run(until: end) {
      defer { probe.letGo() }
      do {
        try body(probe)
        probe.runDeferred()
        if let complaint = probe.firstComplaint { throw CaseFailure(complaint) }
        box.withLock { $0 = .success(()) }
      } catch {
        let failure = error as? CaseFailure ?? CaseFailure("the case threw \(describe(error))")
        box.withLock { $0 = .failure(failure) }
      }
    }
    guard returned, case let result? = box.value else {
      crew.dismiss()
      crew = Crew()
      return CaseFailure(
        "a call into the implementation did not return within \(probe.limit) s", isHang: true)
    }
    do {
      try crew.finish(until: end)
    } catch {
      crew.dismiss()
      crew = Crew()
      return error
    }
    guard case .failure(let failure) = result else { return nil }
    // The first complaint of a handler is reported, because the later failure may be its consequence.
    return probe.firstComplaint.map { CaseFailure($0) } ?? failure
  }

  private func seconds(since start: ContinuousClock.Instant) -> TimeInterval {
    (ContinuousClock.now - start) / .seconds(1)
  }
}
