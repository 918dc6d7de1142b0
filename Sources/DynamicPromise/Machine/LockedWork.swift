/// What was done in critical sections, for tests: nothing asserts it better that an operation is linear, and
/// that no section grows.
package struct LockedWork: Sendable {
  /// How many sections there were.
  package private(set) var sections = 0
  /// How many links between promises were followed or changed in all of them.
  package private(set) var steps = 0
  /// How many in the longest.
  package private(set) var longest = 0

  mutating func add(_ length: Int) {
    sections += 1
    steps += length
    longest = max(longest, length)
  }
}
