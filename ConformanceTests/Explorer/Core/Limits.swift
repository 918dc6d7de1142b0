// Takes the place of the core's `Machine/Limits.swift`: so few that programs reach them.

enum Limits {
  static let spins = 1
  static let lateHandlers = 3
}
