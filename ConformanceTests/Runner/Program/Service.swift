import Foundation
import PromisesAPlusSuite
import RunnerKit

/// The process of a run. One thread runs the engine, another waits for Ctrl-C, and the main thread serves the
/// main queue.
enum Service {
  /// Blocks SIGINT until ``run(_:)`` waits for it. Called before any thread exists, so that all threads
  /// inherit the mask, including those of a JavaScript engine. A Dispatch source would miss an early signal,
  /// because it is installed some time after its activation.
  static func holdInterrupts() {
    var interrupts = interrupts
    pthread_sigmask(SIG_BLOCK, &interrupts, nil)
  }

  private static var interrupts: sigset_t {
    var interrupts = sigset_t()
    sigemptyset(&interrupts)
    sigaddset(&interrupts, SIGINT)
    return interrupts
  }

  /// Runs the driver, and ends the process with its status.
  static func run(_ driver: Driver) -> Never {
    Thread.start("conformance.interrupt") {
      var interrupts = interrupts
      var signal: Int32 = 0
      while sigwait(&interrupts, &signal) != 0 {}
      if let status = driver.interrupt() { exit(status) }
    }
    // Not on the main thread, because the suite blocks its thread, and the main thread serves the main queue.
    Thread.start("conformance.engine") { exit(driver.run()) }
    // Not `dispatchMain()`, which on Linux would serve the main queue from other threads.
    while true { RunLoop.main.run() }
  }
}
