import Foundation
import RunnerKit

/// The process of a run: the engine on a separate thread, another that waits for Ctrl-C, and the main
/// thread with the main queue.
enum Service {
  /// Runs the driver, and ends the process with its status.
  static func run(_ driver: Driver) -> Never {
    // Blocked before any thread exists, and therefore in all threads: the signal stays pending until the
    // waiting thread takes it. A Dispatch source is installed some time after its activation, and would
    // miss an early signal.
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
    // The suite blocks the thread it runs on, and the main thread has the main queue to serve.
    start("conformance.engine") { exit(driver.run()) }
    // Not `dispatchMain()`: on Linux it serves the main queue from other threads.
    while true { RunLoop.main.run() }
  }

  private static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.name = name
    thread.start()
  }
}
