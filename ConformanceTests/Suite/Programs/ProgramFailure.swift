import Foundation

/// A program on which an implementation violates Promises/A+.
public struct ProgramFailure: Sendable, CustomStringConvertible {
  /// The seed of the program.
  public let seed: UInt64
  /// The violated clause. It is `on(_:)` if handlers run on a wrong context, or if jobs do not end. It is 2.2
  /// if a call does not return.
  public let clause: String
  /// The mistake of the implementation in the shortest failing program that was found.
  public let message: String
  /// The shortest failing program that was found, one step per line.
  public let steps: String

  /// The whole failure as text.
  public var description: String { "seed \(seed) fails \(clause): \(message)\n\n\(steps)" }

  init(_ violation: Violation, _ program: Program, _ lanes: [Lane], threads: Int = 1) {
    (seed, clause, message) = (program.seed, violation.clause, violation.message)
    steps = ProgramText(program, lanes, threads: threads).text
  }

  /// Reports the program of a seed without shrinking it. No violation means that the program hangs.
  static func whole(
    _ seed: UInt64, _ violation: Violation?, _ adapter: some PromiseAdapter, threads: Int
  ) -> ProgramFailure {
    let program = ProgramGenerator.program(seed: seed, for: adapter)
    return ProgramFailure(violation ?? .hang, program, program.plainLanes, threads: threads)
  }

  /// Shrinks the program of a seed. No violation means that the program hangs, and it is not shrunk.
  static func shrunk(
    _ seed: UInt64, _ violation: Violation?, _ adapter: some PromiseAdapter, _ deadline: TimeInterval
  ) -> ProgramFailure {
    guard let violation else { return whole(seed, nil, adapter, threads: 1) }
    let program = ProgramGenerator.program(seed: seed, for: adapter)
    // The shortest failing program so far, with its mistake and the lanes of its steps.
    let shortest = Locked<(Program, Violation, [Lane]?)>((program, violation, nil))
    let crew = Crew()
    // The time is limited, because a shorter program may hang instead of failing.
    _ = crew.run(until: Date(timeIntervalSinceNow: deadline < 3600 ? deadline : 3600)) {
      guard let stage = Stage(adapter) else { return }
      func fails(_ program: Program) -> Bool {
        let execution = Execution(program, stage)
        guard let found = execution.run(), found.clause == violation.clause else { return false }
        shortest.withLock { $0 = (program, found, execution.steps) }
        return true
      }
      CrashNote.whileRunning(seed) {
        if fails(program) { _ = program.shrunk(while: fails) }
      }
      stage.crew.dismiss()
    }
    crew.dismiss()
    let (best, found, lanes) = shortest.value
    return ProgramFailure(found, best, lanes ?? best.plainLanes)
  }
}

extension Program {
  /// The steps of a program that did not end: its operations.
  fileprivate var plainLanes: [Lane] { operations.map { _ in .main } }
}
