// The outcome of a promise, in a form that can be compared.

import DynamicPromise

struct Sighting: Equatable, Sendable {
  let text: String
  let isFulfilled: Bool
  /// `nil` if the reason is a `CancellationError`, because its origin cannot be seen from outside (C7.4).
  let isCancelledByRequest: Bool?
  let isCycle: Bool
  let isBroken: Bool

  init?(_ promise: Promise) {
    guard let result = promise.result else { return nil }
    switch result {
    case .success(let value): self.init(of: value)
    case .failure(let reason):
      let isByRequest = !promise.isCancelled ? false : reason is CancellationError ? nil : true
      self.init(
        "reason \(Sighting.identity(reason))", isFulfilled: false, isCancelledByRequest: isByRequest,
        reason as? PromiseError)
    }
  }

  init(of value: Any) {
    self.init("value \(Sighting.identity(value))", isFulfilled: true, isCancelledByRequest: false)
  }

  private init(
    _ text: String, isFulfilled: Bool, isCancelledByRequest: Bool?, _ error: PromiseError? = nil
  ) {
    (self.text, self.isFulfilled, self.isCancelledByRequest) = (text, isFulfilled, isCancelledByRequest)
    isCycle = if case .cycle? = error { true } else { false }
    isBroken = if case .brokenAt? = error { true } else { false }
  }

  /// The identity of an object of this test, or the type of any other value.
  private static func identity(_ value: Any) -> String {
    guard let object = value as? Live else { return "\(type(of: value))" }
    return "\(type(of: value)) \(UInt(bitPattern: ObjectIdentifier(object)))"
  }
}
