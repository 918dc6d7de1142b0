import Synchronization

extension ToyPromise {
  /// A promise that is fulfilled with the values of all `inputs`, in their order.
  package static func all(_ inputs: [ToyPromise]) -> ToyPromise {
    let (result, missing) = (ToyPromise(), Missing(inputs.count))
    for input in inputs {
      input.then { _ in
        guard missing.isLast() else { return () }
        result.resolve(inputs.map { $0.result! })
        return ()
      }
    }
    return result
  }
}

private final class Missing: Sendable {
  private let count: Atomic<Int>

  init(_ count: Int) { self.count = Atomic(count) }

  func isLast() -> Bool { count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }
}
