import Foundation

/// Writes the seed of a random program to standard error if the implementation crashes while the program
/// runs.
enum CrashNote {
  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]
  /// The actions before ``install``, by the number of the signal.
  private nonisolated(unsafe) static let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)
  private static let stackSize = 1 << 16

  /// Installs the handler once. It stays, because it writes nothing on threads that run no program.
  static let install: Void = {
    for number in signals {
      sigaction(number, nil, previous + Int(number))
      signal(number) { number in
        // Only functions that are safe in a signal handler are called here.
        let seed = ThreadLocal.seed.value
        if seed != 0 {
          write("\nrandom programs: the process crashes in the program of seed ")
          writeDigits(UInt(bitPattern: seed) &- 1)
          write("\n")
        }
        sigaction(number, previous + Int(number), nil)
        // The instruction that caused another signal runs again when this handler returns.
        if number == SIGABRT || number == SIGTRAP { raise(number) }
      }
      var action = sigaction()
      sigaction(number, nil, &action)
      action.sa_flags |= SA_ONSTACK
      sigaction(number, &action, nil)
    }
  }()

  /// Sets the program that this thread runs.
  static func set(_ seed: UInt64) { ThreadLocal.seed.value = Int(truncatingIfNeeded: seed &+ 1) }

  /// Runs `body` on a thread that has a stack for signal handlers, so that the handler can also run after a
  /// stack overflow.
  static func withSignalStack(_ body: () -> Void) {
    #if os(tvOS) || os(watchOS)  // `sigaltstack` is unavailable there
      body()
    #else
      var stack = stack_t()
      sigaltstack(nil, &stack)
      // A sanitizer may have made a stack already, and would release this one.
      guard Int(stack.ss_flags) & Int(SS_DISABLE) != 0 else { return body() }
      let memory = UnsafeMutableRawPointer.allocate(byteCount: stackSize, alignment: 16)
      (stack.ss_sp, stack.ss_size, stack.ss_flags) = (memory, numericCast(stackSize), 0)
      sigaltstack(&stack, nil)
      body()
      stack.ss_flags = numericCast(SS_DISABLE)
      sigaltstack(&stack, nil)
      memory.deallocate()
    #endif
  }

  private static func write(_ text: StaticString) {
    _ = Foundation.write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }

  private static func writeDigits(_ number: UInt) {
    if number > 9 { writeDigits(number / 10) }
    var digit = UInt8(48 + number % 10)
    _ = Foundation.write(STDERR_FILENO, &digit, 1)
  }
}
