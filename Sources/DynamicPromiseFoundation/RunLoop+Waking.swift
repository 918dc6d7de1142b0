// What a run loop lacks where Core Foundation cannot be reached, which is everywhere but on Apple's systems.

import Foundation

extension RunLoop {
  /// Lets a sleeping loop look for work. From any thread.
  func wake() {
    #if canImport(Darwin)
      CFRunLoopWakeUp(getCFRunLoop())
    #else
      // `perform` alone does not wake the loop; a timer that is due does.
      add(Timer(timeInterval: 0, repeats: false) { _ in }, forMode: .common)
    #endif
  }

  /// Ends the innermost run of this loop. On its own thread, from inside.
  func leave() {
    #if canImport(Darwin)
      CFRunLoopStop(getCFRunLoop())
    #else
      _stop()
    #endif
  }

  /// Keeps a mode from being empty: an empty one does not run at all. Until the timer is invalidated.
  func keepAlive(in mode: RunLoop.Mode) -> Timer {
    let timer = Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }
    add(timer, forMode: mode)
    return timer
  }
}
