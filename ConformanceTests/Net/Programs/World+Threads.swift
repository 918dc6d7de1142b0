// Programs on threads: several threads perform the operations of one program.
//
// The state of the world is guarded by a lock, which a thread leaves while it calls the library. So calls of
// the library overlap, and the checks do not.

import DynamicPromise
import Foundation
import PromisesAPlusSuite

/// What one thread does.
final class Lane: @unchecked Sendable {
  var frames: [World.Frame] = []
  /// The number of blocking waits on the stack.
  var waits = 0
  /// The number of handlers on the stack that `nested` has made.
  var depth = 0
  /// The promises whose registration has not returned yet.
  var registering: Set<Int> = []
  var isReporting = false
  /// Whether the thread checks rules that must hold in the end.
  var isChecking = false
  /// Whether the thread is inside the world's lock.
  fileprivate var isInside = false
  fileprivate var random = Random(UInt64(UInt(bitPattern: ObjectIdentifier(Thread.current))))

  private static let key = "ExecutableSpec.Lane"

  static var current: Lane {
    let storage = Thread.current.threadDictionary
    if let lane = storage[key] as? Lane { return lane }
    let lane = Lane()
    storage[key] = lane
    return lane
  }
}

extension World {
  /// Accesses the state of the world. Every closure that the library calls does so.
  func inside<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard isThreaded, !lane.isInside else { return try body() }
    let lane = lane
    enter(lane)
    defer { _ = leave() }
    return try body()
  }

  /// Calls the library.
  func calling<Result>(_ body: () throws -> Result) rethrows -> Result {
    let lane = leave()
    defer { enter(lane) }
    return try body()
  }

  // Not inlined, because the optimizer could move the release of a token between the lock and `isInside`. The
  // token's `deinit` would then wait for this thread.

  /// Leaves the lock, if this thread is inside.
  @inline(never)
  func leave() -> Lane? {
    guard isThreaded, case let lane = lane, lane.isInside else { return nil }
    lane.isInside = false
    lock.unlock()
    // A random pause, so that threads meet at different places.
    for _ in 0..<lane.random.below(1 << lane.random.below(9)) { _ = lane.random.next() }
    return lane
  }

  @inline(never)
  func enter(_ lane: Lane?) {
    guard let lane else { return }
    lock.lock()
    entries += 1
    lane.isInside = true
  }

  /// A task that waits for a promise, and that may be cancelled.
  func read(_ number: Int, _ cancels: Bool) {
    guard let promise = promises[number], let record = records[number] else { return }
    record.hasUnknownConsumers = true
    if cancels { (mayWithdraw, record.mayBeObserved) = (true, true) } else { record.isObserved = true }
    readers += 1
    calling {
      let task = Task { [self] in
        _ = cancels ? try? await promise.cancellingValue : try? await promise.value
        inside { readers -= 1 }
      }
      if cancels { task.cancel() }
    }
  }

  /// Performs each lane's operations on a thread of its own, and waits for the threads.
  func perform(_ lanes: [[Operation]]) {
    let (start, end) = (DispatchSemaphore(value: 0), DispatchGroup())
    for operations in lanes {
      end.enter()
      let thread = Thread { [self] in
        start.wait()
        for operation in operations { inside { perform(operation) } }
        end.leave()
      }
      thread.stackSize = 1 << 21
      thread.start()
    }
    for _ in lanes { start.signal() }
    end.wait()
  }

  /// Performs `work`, and then checks rules that must hold when the work on other threads has ended. Tries
  /// again until they hold. The patience begins anew whenever another thread does something.
  func eventually(_ work: () -> Void, _ check: () -> Void) {
    // An earlier violation stays.
    if !isUnbroken { return work() }
    var deadline = DispatchTime.now() + (patience ?? 0)
    var cancels = inside { self.cancels }
    var (pause, entries) = (1e-5, 0)
    while true {
      // The check before has removed them.
      inside { self.cancels = cancels }
      work()
      let isDone = inside { () -> Bool in
        cancels = self.cancels
        lane.isChecking = true
        check()
        lane.isChecking = false
        guard violation != nil, !isFatal, isThreaded, DispatchTime.now() < deadline else { return true }
        violation = nil
        entries = self.entries
        return false
      }
      if isDone { return }
      Thread.sleep(forTimeInterval: pause)
      inside { if self.entries > entries + 1 { deadline = .now() + (patience ?? 0) } }
      pause = min(pause * 2, 1e-3)
    }
  }
}

extension Program {
  /// The operations that one thread performs first, and those of each thread. The first part has most of the
  /// operations that make promises.
  var parts: (first: [Operation], lanes: [[Operation]]) {
    if threads == 1 { return (operations, []) }
    var (first, lanes) = ([Operation](), Array(repeating: [Operation](), count: threads))
    for (index, operation) in operations.enumerated() {
      if operation.makesAPromise, (UInt64(index) &+ seed) % 3 != 0 {
        first.append(operation)
      } else {
        lanes[index % threads].append(operation)
      }
    }
    return (first, lanes)
  }
}

extension Operation {
  fileprivate var makesAPromise: Bool {
    switch self {
    case .root, .child, .many, .made, .bagged, .combine, .series, .finished: true
    default: false
    }
  }
}
