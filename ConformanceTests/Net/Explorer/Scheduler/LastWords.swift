// Prints the schedule of a run that crashes.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

package enum LastWords {
  private static let capacity = 1 << 16
  private nonisolated(unsafe) static let text = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
  private nonisolated(unsafe) static var length = 0

  /// Installs handlers that print the schedule when the program crashes.
  package static func install() {
    prepare("", Schedule())
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT] {
      signal(number) { number in
        _ = write(2, LastWords.text, LastWords.length)
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }

  static func prepare(_ program: String, _ schedule: Schedule) {
    length = 0
    add("\ncrash in: --replay \"\(program)\" \(schedule)\n")
  }

  /// Adds a choice to the schedule.
  static func extend(step: Int, thread: Int) {
    length -= 1
    add(",\(step):\(Schedule.name(thread))\n")
  }

  private static func add(_ words: String) {
    for byte in words.utf8 where length < capacity {
      text[length] = byte
      length += 1
    }
  }
}
