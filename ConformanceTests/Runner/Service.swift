import Foundation
import PromisesAPlusSuite

/// The process of a run. One thread runs the driver, another waits for Ctrl-C, and the main thread serves the
/// main queue.
enum Service {
  /// The driver, and why the engine ended before there was one.
  private static let state = Locked<(driver: Driver?, engineEnd: String?)>((nil, nil))

  /// Handles SIGINT. Called before any other thread exists, so that all threads inherit the mask. A Dispatch
  /// source would miss an early signal, because it is installed some time after its activation.
  static func handleInterrupts() {
    // A pipe without a reader is then an error like a full disk.
    signal(SIGPIPE, SIG_IGN)
    var interrupts = sigset_t()
    sigemptyset(&interrupts)
    sigaddset(&interrupts, SIGINT)
    pthread_sigmask(SIG_BLOCK, &interrupts, nil)
    let blocked = interrupts
    Thread.start("conformance.interrupt") {
      var (interrupts, signal) = (blocked, Int32(0))
      while sigwait(&interrupts, &signal) != 0 {}
      guard let driver = state.value.driver else { end(ExitStatus.interrupted) }
      if let status = driver.interrupt() { end(status) }
    }
  }

  /// Runs the driver, and ends the process with its status.
  static func run(_ driver: Driver) -> Never {
    let engineEnd = state.withLock { state in
      state.driver = driver
      return state.engineEnd
    }
    if let engineEnd { engineEnded(engineEnd) }
    // Not on the main thread, because the suite blocks its thread, and the main thread serves the main queue.
    Thread.start("conformance.driver") { end(driver.run()) }
    // Not `dispatchMain()`, which on Linux would serve the main queue from other threads.
    while true { RunLoop.main.run() }
  }

  /// Ends the process with a report of what is known, when there is a driver.
  @Sendable static func engineEnded(_ reason: String) {
    let driver = state.withLock { state in
      if state.driver == nil { state.engineEnd = reason }
      return state.driver
    }
    if let status = driver?.interrupt(reason, status: ExitStatus.notAsDeclared) { end(status) }
  }

  private static let isEnding = Locked(false)

  /// Ends the process and the engine. The first call's status counts, not that of an engine which it has
  /// ended.
  static func end(_ status: Int32) -> Never {
    let isFirst = isEnding.withLock { isEnding in
      defer { isEnding = true }
      return !isEnding
    }
    while !isFirst { pause() }
    Engine.kill()
    exit(status)
  }

  /// Writes the report. Ends the process if that is impossible, for example on a full disk.
  @Sendable static func write(_ text: String) {
    do { try FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) } catch {
      complain("conformance: the report cannot be written: \(error.localizedDescription)\n")
      end(ExitStatus.unwritable)
    }
  }

  /// Messages that cannot be written are dropped, because the report and the exit status have the results.
  @Sendable static func complain(_ text: String) { writeToStandardError(text) }
}
