// A promise that follows another one.

import DynamicPromise

extension Promise {
  /// A new promise that follows this one.
  func follower(on context: any ExecutionContext = .immediate) -> Promise {
    let follower = Promise(on: context)
    follower.bind(self)
    return follower
  }
}
