import Foundation

/// Writes the seeds of the running random programs to standard error if the process crashes.
enum CrashNote {
  private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]
  private static let stackSize = 1 << 16
  private static let slotCount = 1024

  /// The actions before ``install``, by the number of the signal.
  private nonisolated(unsafe) static let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)
  /// The seed of each running program, and whether the slot is in use. The signal handler reads them without
  /// the lock.
  private nonisolated(unsafe) static let slots = {
    let slots = UnsafeMutablePointer<(isUsed: Bool, seed: UInt64)>.allocate(capacity: slotCount)
    slots.initialize(repeating: (false, 0), count: slotCount)
    return slots
  }()
  private static let lock = NSLock()
  /// The pipe from which the first thread that crashes reads the only byte. That thread writes the note.
  private nonisolated(unsafe) static let turn = {
    let ends = UnsafeMutablePointer<Int32>.allocate(capacity: 2)
    if pipe(ends) == 0 {
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      _ = Foundation.write(ends[1], "1", 1)
    }
    return ends
  }()

  /// Runs a program. If the process crashes meanwhile, on any thread, the note contains the program's seed.
  static func whileRunning<R>(_ seed: UInt64, _ body: () -> R) -> R {
    let slot = lock.withLock {
      let slot = (0..<slotCount).first { !slots[$0].isUsed }
      if let slot {
        slots[slot].seed = seed
        slots[slot].isUsed = true
      }
      return slot
    }
    defer { if let slot { lock.withLock { slots[slot].isUsed = false } } }
    return body()
  }

  /// Installs the handler, once. The handler is not removed, because it writes nothing if no program runs.
  static let install: Void = {
    // Initializes these now, because a signal handler must not.
    _ = (slots, turn)
    for number in signals {
      sigaction(number, nil, previous + Int(number))
      signal(number) { number in
        // Only functions that are safe in a signal handler are called here.
        writeNote()
        sigaction(number, previous + Int(number), nil)
        // The signal is delivered when this handler has returned.
        raise(number)
      }
      var action = sigaction()
      sigaction(number, nil, &action)
      action.sa_flags |= SA_ONSTACK
      sigaction(number, &action, nil)
    }
  }()

  /// Runs `body` on a thread that has a stack for signal handlers, so that the handler can also run after a
  /// stack overflow.
  static func withSignalStack(_ body: () -> Void) {
    #if os(tvOS) || os(watchOS)  // `sigaltstack` is unavailable there
      body()
    #else
      var stack = stack_t()
      sigaltstack(nil, &stack)
      // Keeps a stack that exists. A sanitizer may have made it, and would release a stack that replaces it.
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

  private static func writeNote() {
    var byte: UInt8 = 0
    guard read(turn[0], &byte, 1) == 1 else {
      // Another thread writes the note. Or this is a crash in the handler itself.
      sleep(1)
      return
    }
    var isFirst = true
    for slot in 0..<slotCount where slots[slot].isUsed {
      write(isFirst ? "\nrandom programs: the process crashes in the program of seed " : " or ")
      writeDigits(slots[slot].seed)
      isFirst = false
    }
    if !isFirst { write("\n") }
  }

  private static func write(_ text: StaticString) {
    _ = Foundation.write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }

  private static func writeDigits(_ number: UInt64) {
    if number > 9 { writeDigits(number / 10) }
    var digit = UInt8(48 + number % 10)
    _ = Foundation.write(STDERR_FILENO, &digit, 1)
  }
}
