// The compiler accepts this file, so the other files do not fail because the module is missing.

import DynamicPromise

func control(promise: Promise) {
  let number = 1
  promise.then { value in value as! Int + number }.catch { _ in 0 }.finally {}
  promise.then { 1 }
  promise.reject("reason")
}
