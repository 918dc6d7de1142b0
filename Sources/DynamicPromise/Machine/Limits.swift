/// Limits. The explorer substitutes smaller ones.
enum Limits {
  /// How many promises one critical section visits.
  static let slice = 64
  /// How often a thread looks again for something that is likely to come soon.
  static let spins = 2000
  /// How many handlers that other threads have registered meanwhile one call schedules.
  static let lateHandlers = 256
}
