// The compiler accepts this file, so the errors in the other files are not due to a missing module.

import DynamicPromise

func control(promise: Promise) {
  let number = 1
  promise.then { value in value as! Int + number }.catch { _ in 0 }.finally {}
  promise.then { 1 }
  promise.reject("reason")
}
