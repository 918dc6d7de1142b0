import Foundation
import RunnerKit

/// The process around a run: the engine on a thread of its own, another that waits for Ctrl-C, and the main
/// thread with the main queue.
enum Service {
  static func run(_ driver: Driver) -> Never {
    // Blocked before any thread exists, so in all of them: the signal stays pending until the one that waits
    // takes it. A Dispatch source would be installed some time after its activation and miss an early one.
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
