// Takes the place of the core's `Machine/Limits.swift`: small enough that programs reach them.

enum Limits {
  static let slice = 8
  static let spins = 1
  static let lateHandlers = 3
}
