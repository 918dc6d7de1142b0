import DynamicPromise

/// Operators over collections, with synchronous and asynchronous closures, and retries.
nonisolated func operated() async throws -> [Int] {
  let odd = Promise.map(1...3) { (number: Int) in number % 2 == 1 }
  let even = Promise.map(1...3) { (number: Int) async in number % 2 == 0 }
  let turn = Promise.sequence(1...3) { (number: Int) async in number }
  let spread = Promise.all([1, "two"]).spread { (number: Int, text: String) in number + text.count }
  let unlimited = Promise.resolved(6).timeout(.infinity, error: Refused())
    .setTimeout(60, error: Refused()).timeout(60, cancelling: true, error: Refused())
  _ = try await unlimited.reflect().value(as: Result<Any, any Error>.self)
  return [
    try await odd.value(as: [Any].self).count, try await even.value(as: [Any].self).count,
    try await turn.value(as: [Any].self).count,
    try await spread.value(as: Int.self), try await unlimited.value(as: Int.self),
    try await again(.constant(.zero)).value(as: Int.self),
    try await again(.exponential(0)).value(as: Int.self),
    try await again(0.0).value(as: Int.self),
  ]
}

/// A retry that succeeds at the second attempt.
nonisolated private func again(_ delay: RetryDelay) -> Promise {
  Promise.retry(3, delay: delay, while: { $0 is Refused }) { (attempt: Int) -> Int in
    if attempt == 1 { throw Refused() }
    return attempt
  }
}
