// Makes a follower of a promise.

import DynamicPromise

extension Promise {
  /// Returns a new promise that follows this promise.
  func follower(on context: any ExecutionContext = .immediate) -> Promise {
    let follower = Promise(on: context)
    follower.bind(self)
    return follower
  }
}
