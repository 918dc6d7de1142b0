// Nothing here is refused: shows that the other files fail for what they say, not for want of the module.

import DynamicPromise

func control(promise: Promise) {
  let number = 1
  promise.then { value in value as! Int + number }.catch { _ in 0 }.finally {}
  promise.then { 1 }
  promise.reject("reason")
}
