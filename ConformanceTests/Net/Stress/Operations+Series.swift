// Operations that make series. Other threads read, settle and cancel the steps while the series run.

import DynamicPromise
import Seeds
import Synchronization

extension Operation {
  /// A series whose tasks return promises of the pool. Other threads may wait for its result or cancel it.
  private static func series(
    _ name: String,
    _ run: @escaping @Sendable (Tasks, any ExecutionContext, inout Random) -> Promise
  ) -> Operation {
    Operation(name, 2) { random in
      let context = Contexts.any(&random)
      let result = run(Tasks(name, &random), context, &random)
      Pool.put(Entry(result), &random)
      // A wait checks whether a step needs this thread.
      if random.once(in: 2) { Contexts.elsewhere { _ = try? result.get(timeout: 0.0005) } }
      if random.once(in: 4) { Contexts.elsewhere { result.cancel() } }
      if random.once(in: 4) { _ = try? result.get(timeout: 0.0005) }
    }
  }

  static let series = [
    series("sequence") { tasks, context, random in
      .sequence(inputs(&random), on: context) { (input: Any) -> Any? in try tasks.run(input) }
    },
    series("map") { tasks, context, random in
      .map(
        inputs(&random), concurrency: 1 + random.below(3), on: context, cancellingRest: random.once(in: 2)
      ) { (input: Any) -> Any? in try tasks.run(input) }
    },
    series("reduce") { tasks, context, random in
      .reduce(inputs(&random), 0, on: context) { (_: Any, input: Any) -> Any? in try tasks.run(input) }
    },
    series("repeat") { tasks, context, random in
      let count = random.below(5)
      return .repeat(on: context) { () -> Any? in tasks.count < count ? try tasks.run(1) : nil }
    },
    series("retry") { tasks, context, random in
      let most = 1 + random.below(4)
      return .retry(most, on: context) { (_: Int) -> Any? in try tasks.run(1, most: most) }
    },
    Operation("a wait for a series whose steps end meanwhile", 2) { random in
      let inputs = (0..<2).map { _ in Promise(on: .immediate) }
      let expectation = Expectation("H2.8", "a wait returns the values of a series")
      let result =
        random.once(in: 2)
        ? Promise.map(inputs + [2], concurrency: 2) { $0 } : Promise.sequence(inputs + [2]) { $0 }
      for (number, input) in inputs.enumerated() {
        Contexts.elsewhere {
          input.fulfill(number)
          _ = input
        }
      }
      // The wait ends in time, because other threads settle the inputs.
      do {
        if try result.get(as: [Int].self) == [0, 1, 2] { expectation.meet() }
      } catch {
        Report.fail("H2.8", "a wait for a series that runs elsewhere: \(error)")
      }
    },
  ]
}

/// The tasks of a series.
final class Tasks: Live, @unchecked Sendable {
  private let name: String
  private let doings: [Doing]
  private let begun = Atomic<Int>(0)

  init(_ name: String, _ random: inout Random) {
    self.name = name
    doings = (0..<3).map { _ in Doing(&random) }
    super.init(.capture)
  }

  var count: Int { begun.load(ordering: .relaxed) }

  /// - Parameter most: The maximum number of tasks that may begin.
  func run(_ input: Any, most: Int = 5) throws -> Any? {
    let number = begun.add(1, ordering: .relaxed).newValue
    if number > most { Report.fail("K5", "\(name) begins \(number) tasks, more than \(most)") }
    return try doings[number % doings.count].make(input)
  }
}
