// Swift concurrency: each step is a task that awaits the previous task.

import BenchmarkKit
import Dispatch
import Synchronization

struct SwiftTasks: Contender {
  let name = "Swift Tasks"

  /// A value that can be awaited once and given once, in either order.
  private final class Cell: @unchecked Sendable {
    /// 0: initial. 1: the value was given first. 2: a task waits.
    private let state = Atomic(0)
    private var continuation: UnsafeContinuation<any Sendable, Never>?

    func value() async -> any Sendable {
      await withUnsafeContinuation { continuation in
        self.continuation = continuation
        if state.exchange(2, ordering: .acquiringAndReleasing) == 1 {
          continuation.resume(returning: HandsOnAny.first)
        }
      }
    }

    func give() {
      if state.exchange(1, ordering: .acquiringAndReleasing) == 2 {
        continuation!.resume(returning: HandsOnAny.first)
      }
    }
  }

  /// Runs `body` in a task, and waits for it on this thread.
  private static func run(_ body: @escaping @Sendable () async -> Void) -> Figures {
    let done = DispatchSemaphore(value: 0)
    return time {
      Task {
        await body()
        done.signal()
      }
      done.wait()
    }
  }

  let runs: [Workload: Run] = [
    .w1: { count in
      run {
        var task = Task { HandsOnAny.first }
        _ = await task.value
        for _ in 0..<count {
          let previous = task
          task = Task { HandsOnAny.next(await previous.value) }
        }
        _ = await task.value
      }
    },
    .w2: { count in
      run {
        let cell = Cell()
        var task = Task { await cell.value() }
        for _ in 0..<count {
          let previous = task
          task = Task { HandsOnAny.next(await previous.value) }
        }
        cell.give()
        _ = await task.value
      }
    },
    .w3: { count in
      run {
        let cell = Cell()
        let root = Task { await cell.value() }
        let tasks = (0..<count).map { _ in Task { HandsOnAny.next(await root.value) } }
        cell.give()
        for task in tasks { _ = await task.value }
      }
    },
    .w4: { count in
      run {
        let cells = (0..<count).map { _ in Cell() }
        let tasks = cells.map { cell in Task { await cell.value() } }
        Helper.first.start { for cell in cells { cell.give() } }
        for task in tasks { _ = await task.value }
        join()
      }
    },
    .w5: { count in
      let latch = Latch(count)
      return time {
        for _ in 0..<count {
          let cell = Cell()
          let root = Task { await cell.value() }
          Task {
            let value = HandsOnAny.next(await root.value)
            latch.hit()
            return value
          }
          cell.give()
        }
        latch.wait()
      }
    },
    .w6: { count in
      run {
        let cell = Cell()
        var task = Task { await cell.value() }
        for _ in 0..<count {
          let previous = task
          task = Task {
            let value = await previous.value
            return await Task { HandsOnAny.next(value) }.value
          }
        }
        cell.give()
        _ = await task.value
      }
    },
  ]

  /// Does not block for long: the helper has nothing left to do when all values have arrived.
  private static func join() { Helper.first.join() }
}
