import Foundation

/// Collects the events of a run. A report can be made at any time, even about an interrupted run.
///
/// Pass ``record(_:)`` to the run as its observer. Call ``snapshot()`` from any thread.
public final class RunRecorder: Sendable {
  private let name: String
  private let summary: String
  private let planned: Int
  private let deviations: [Deviation]
  private let lock = NSLock()
  nonisolated(unsafe) private var cases: [RecordedCase] = []
  nonisolated(unsafe) private var places: [String: Int] = [:]
  nonisolated(unsafe) private var ended = 0
  nonisolated(unsafe) private var running: ConformanceCase?
  nonisolated(unsafe) private var duration: TimeInterval = 0

  /// Creates a recorder for `rounds` rounds of `cases` cases, before they start. `deviations` are the
  /// declared deviations of the run.
  public init(
    name: String, summary: String = "", cases: Int, rounds: Int = 1, deviations: [Deviation] = []
  ) {
    self.name = name
    self.summary = summary
    planned = saturatingProduct(cases, rounds)
    self.deviations = deviations
  }

  /// Records an event.
  public func record(_ event: RunEvent) {
    lock.withLock {
      switch event {
      case .started(let testCase):
        running = testCase
      case .finished(let result):
        running = nil
        ended += 1
        duration += result.duration
        if let place = places[result.testCase.id] {
          cases[place].add(result)
        } else {
          places[result.testCase.id] = cases.count
          cases.append(RecordedCase(result))
        }
      }
    }
  }

  /// The current record. Its duration is the sum for the cases that have ended.
  public func snapshot() -> RecordedRun {
    lock.withLock {
      let notExpressible = cases.filter(\.outcome.isNotExpressible)
      return RecordedRun(
        name: name, summary: summary, cases: cases, duration: duration, isComplete: ended == planned,
        running: running, unknownSelectors: Deviation.unknownSelectors(of: deviations),
        impossibleSelectors: Deviation.impossibleSelectors(
          of: deviations, notExpressible: Set(notExpressible.map(\.testCase.id))))
    }
  }
}
