/// The choices of threads in a run. By default the running thread continues while it can. When it cannot, the
/// first thread that can run continues. A schedule lists the steps with another choice. A run can be
/// replayed, because the program and the schedule determine it.
package struct Schedule: CustomStringConvertible {
  /// The step in the upper bits, the thread in the lower five. The entries are small, because the search
  /// stores hundreds of thousands of schedules.
  private var turns: [UInt32] = []

  package init() {}

  /// Reads the text that `description` writes. `nil` for any other text.
  package init?(_ text: String) {
    for word in text.split(separator: ",") where word != "default" {
      let parts = word.split(separator: ":")
      guard parts.count == 2, let step = Int(parts[0]), let name = parts[1].unicodeScalars.first,
        parts[1].unicodeScalars.count == 1, ("A"..."Z").contains(name)
      else { return nil }
      append(step: step, thread: Int(name.value) - 65)
    }
  }

  package var count: Int { turns.count }

  mutating func append(step: Int, thread: Int) { turns.append(UInt32(step) << 5 | UInt32(thread)) }

  func with(step: Int, thread: Int) -> Schedule {
    var copy = self
    copy.append(step: step, thread: thread)
    return copy
  }

  package func turn(_ index: Int) -> (step: Int, thread: Int) {
    (Int(turns[index] >> 5), Int(turns[index] & 31))
  }

  package var description: String {
    (["default"] + (0..<count).map { "\(turn($0).step):\(Schedule.name(turn($0).thread))" })
      .joined(separator: ",")
  }

  package static func name(_ thread: Int) -> String { String(UnicodeScalar(UInt8(65 + thread))) }
}
