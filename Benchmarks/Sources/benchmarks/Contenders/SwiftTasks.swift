// Swift concurrency: each step is a task that awaits the previous task.

import BenchmarkKit
import Synchronization

let swiftTasks = contender("Swift Tasks", [.w1, .w2, .w3, .w4, .w5, .w6]) { TaskLibrary() }

private struct TaskLibrary: Library {
  typealias Step = Task<any Sendable, Never>

  /// A value that can be awaited once and given once, in either order.
  final class Cell: @unchecked Sendable {
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

  var overlaps: Bool { true }

  func pending() -> (cell: Cell, step: Step) {
    let cell = Cell()
    return (cell, Task { await cell.value() })
  }

  func fulfill(_ root: (cell: Cell, step: Step)) { root.cell.give() }
  func step(of root: (cell: Cell, step: Step)) -> Step { root.step }
  func settled() -> Step { Task { HandsOnAny.first } }

  func all(_ steps: [Step], _ latch: Latch) {
    Task {
      for step in steps { _ = await step.value }
      latch.hit()
    }
  }

  func then(_ step: Step) -> Step { Task { HandsOnAny.add(1, to: await step.value) } }

  func then(_ step: Step, _ latch: Latch) -> Step { then(step, latch, adding: 1) }

  func then(_ step: Step, _ latch: Latch, adding number: Int) -> Step {
    Task {
      let value = HandsOnAny.add(number, to: await step.value)
      latch.hit()
      return value
    }
  }

  func thenReturning(_ step: Step) -> Step {
    Task {
      let value = await step.value
      return await Task { HandsOnAny.add(1, to: value) }.value
    }
  }
}
