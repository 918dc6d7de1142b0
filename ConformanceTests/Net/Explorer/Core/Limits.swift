// Replaces the core's `Machine/Limits.swift`. The values are so small that programs reach them.

enum Limits {
  static let slice = 8
  static let spins = 1
  static let nestedWaits = 2
  static let lateHandlers = 3
}
