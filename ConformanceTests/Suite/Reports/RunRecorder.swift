import Foundation

/// Collects the events of a run, so that a report can be made at any moment, also of an interrupted run.
///
/// Pass ``record(_:)`` to the engine as its observer; take a ``snapshot()`` from any thread.
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

  /// A recorder for `rounds` rounds of `cases`, none of which has started; `deviations` are those of the
  /// run.
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

  /// The current record. Its duration is that of the cases that have ended.
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
