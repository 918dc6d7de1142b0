import DynamicPromise

func twoParameters(promise: Promise) {
  promise.then { first, second in 1 }  // error: cannot infer type of closure parameter
  promise.catch { first, second in 1 }  // error: cannot infer type of closure parameter
  promise.finally { value in 1 }  // error: contextual closure type
  _ = Promise { first, second in 1 }  // error: contextual closure type
  promise.then({ _ in 1 }, { _ in 2 }, { _ in 3 })  // error: extra argument
}
