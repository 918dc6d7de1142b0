import Foundation
import RunnerKit

/// The process of a run. One thread runs the engine, another waits for Ctrl-C, and the main thread serves the
/// main queue.
enum Service {
  /// Runs the driver, and ends the process with its status.
  static func run(_ driver: Driver) -> Never {
    // The signal is blocked before any thread exists, and therefore in all threads. The signal stays pending
    // until the waiting thread accepts it. A Dispatch source is installed some time after its activation, and
    // would miss an early signal.
    var interrupts = sigset_t()
    sigemptyset(&interrupts)
    sigaddset(&interrupts, SIGINT)
    pthread_sigmask(SIG_BLOCK, &interrupts, nil)

    start("conformance.interrupt") {
      var expected = sigset_t()
      sigemptyset(&expected)
      sigaddset(&expected, SIGINT)
      var signal: Int32 = 0
      while sigwait(&expected, &signal) != 0 {}
      if let status = driver.interrupt() { exit(status) }
    }
    // The suite blocks its thread, and the main thread must serve the main queue.
    start("conformance.engine") { exit(driver.run()) }
    // On Linux, `dispatchMain()` would serve the main queue from other threads.
    while true { RunLoop.main.run() }
  }

  private static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = name
    thread.start()
  }
}
