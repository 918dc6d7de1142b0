import Synchronization

extension ToyPromise {
  /// A promise that is fulfilled with the values of all `inputs`, in their order.
  package static func all(_ inputs: [ToyPromise]) -> ToyPromise {
    let result = ToyPromise()
    let collected = Collected(inputs.count, result)
    for (index, input) in inputs.enumerated() { input.then { collected.take($0, at: index) } }
    return result
  }
}

private final class Collected: @unchecked Sendable {
  private let values: UnsafeMutablePointer<Any>
  private let count: Int
  private let missing: Atomic<Int>
  private let result: ToyPromise

  init(_ count: Int, _ result: ToyPromise) {
    self.count = count
    values = .allocate(capacity: count)
    values.initialize(repeating: (), count: count)
    missing = Atomic(count)
    self.result = result
  }

  func take(_ value: Any, at index: Int) -> Any {
    values[index] = value
    if missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
      result.resolve(Array(UnsafeBufferPointer(start: values, count: count)))
    }
    return ()
  }

  deinit {
    values.deinitialize(count: count)
    values.deallocate()
  }
}
