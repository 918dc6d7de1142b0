// Run loop functions that are missing without Core Foundation, that is, on all systems except Apple's.

import Foundation

extension RunLoop {
  /// Wakes a sleeping loop. May be called on any thread.
  func wake() {
    #if canImport(Darwin)
      CFRunLoopWakeUp(getCFRunLoop())
    #else
      // `perform` does not wake the loop; a due timer does.
      add(Timer(timeInterval: 0, repeats: false) { _ in }, forMode: .common)
    #endif
  }

  /// Ends the innermost run of this loop. Called on the loop's thread, in a block of the loop.
  func leave() {
    #if canImport(Darwin)
      CFRunLoopStop(getCFRunLoop())
    #else
      _stop()
    #endif
  }

  /// Adds a timer to a mode, because a loop does not run in an empty mode. The mode stays usable until the
  /// timer is invalidated.
  func keepAlive(in mode: RunLoop.Mode) -> Timer {
    let timer = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
    add(timer, forMode: mode)
    return timer
  }
}
