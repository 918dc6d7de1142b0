import Foundation

/// Collects the events of a run while it is going on, so that a report can be made at any moment, also of
/// a run that is interrupted.
///
/// Give ``record(_:)`` to the engine as its observer; take a ``snapshot()`` from any thread.
public final class RunRecorder: Sendable {
  private let name: String
  private let summary: String
  private let planned: Int
  private let unknownSelectors: [String]
  private let lock = NSLock()
  nonisolated(unsafe) private var cases: [RecordedCase] = []
  nonisolated(unsafe) private var places: [String: Int] = [:]
  nonisolated(unsafe) private var ended = 0
  nonisolated(unsafe) private var running: ConformanceCase?
  nonisolated(unsafe) private var duration: TimeInterval = 0

  /// A recorder for `rounds` rounds of `cases`, none of which has begun; `deviations` are what the run declares.
  public init(
    name: String, summary: String = "", cases: Int, rounds: Int = 1, deviations: [Deviation] = []
  ) {
    self.name = name
    self.summary = summary
    planned = saturatingProduct(cases, rounds)
    unknownSelectors = deviations.flatMap(\.selectors).filter {
      ConformanceSuite.cases(matching: $0).isEmpty
    }
  }

  /// Takes note of an event.
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

  /// What is known by now. Its time is that of the cases that have ended.
  public func snapshot() -> RecordedRun {
    lock.withLock {
      RecordedRun(
        name: name, summary: summary, cases: cases, duration: duration, isComplete: ended == planned,
        running: running, unknownSelectors: unknownSelectors)
    }
  }
}
