/// Numbers in whose place the explorer puts small ones.
enum Limits {
  /// How often a thread looks again for something that is likely to come soon.
  static let spins = 2000
  /// How many handlers that other threads have registered meanwhile one call schedules.
  static let lateHandlers = 256
}
