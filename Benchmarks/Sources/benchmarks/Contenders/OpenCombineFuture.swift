// OpenCombine's `Future`. The `then` used here makes a future that subscribes to the previous future.

import BenchmarkKit
import OpenCombine

let openCombine = contender("OpenCombine", [.w1, .w2, .w3, .w4, .w5, .w6, .w7]) { OpenCombineLibrary() }

private struct OpenCombineLibrary: Library {
  typealias Step = Future<any Sendable, Never>
  typealias Root = (step: Step, fulfil: Step.Promise)

  /// OpenCombine settles chains by recursion, and overflows a stack of 8 MiB at about 5,000 steps.
  var depth: Int { 1000 }

  func pending() -> Root {
    var fulfil: Step.Promise?
    let step = Step { fulfil = $0 }
    return (step, fulfil!)
  }

  func fulfill(_ root: Root) { root.fulfil(.success(HandsOnAny.first)) }
  func step(of root: Root) -> Step { root.step }
  func settled() -> Step { Step { $0(.success(HandsOnAny.first)) } }

  private func listen(to step: Step, _ body: @escaping (any Sendable) -> Void) {
    step.subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: body))
  }

  func all(_ steps: [Step], _ latch: Latch) {
    var missing = steps.count
    var values = [any Sendable](repeating: 0, count: steps.count)
    for (index, step) in steps.enumerated() {
      listen(to: step) { value in
        values[index] = value
        missing -= 1
        if missing == 0 { latch.hit() }
      }
    }
  }

  private func then(_ step: Step, _ handler: @escaping (any Sendable) -> any Sendable) -> Step {
    Step { fulfil in listen(to: step) { fulfil(.success(handler($0))) } }
  }

  func then(_ step: Step) -> Step { then(step) { HandsOnAny.add(1, to: $0) } }

  func then(_ step: Step, _ latch: Latch) -> Step { then(step, latch, adding: 1) }

  func then(_ step: Step, _ latch: Latch, adding number: Int) -> Step {
    then(step) {
      latch.hit()
      return HandsOnAny.add(number, to: $0)
    }
  }

  func thenReturning(_ step: Step) -> Step {
    Step { fulfil in
      listen(to: step) { value in
        listen(to: Step { $0(.success(HandsOnAny.add(1, to: value))) }) { fulfil(.success($0)) }
      }
    }
  }
}
