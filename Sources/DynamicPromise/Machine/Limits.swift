/// Limits. The explorer substitutes smaller values.
enum Limits {
  /// The number of promises that one critical section visits. When handlers are scheduled, the number of
  /// batches.
  static let slice = 64
  /// How often a worker polls for a job before it ends.
  static let spins = 2000
  /// The number of nested waits that run handlers on one stack.
  static let nestedWaits = 32
  /// The number of late handlers (`isLate`) that one call schedules.
  static let lateHandlers = 256
}
