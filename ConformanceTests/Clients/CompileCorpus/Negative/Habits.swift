import Dispatch
import DynamicPromise

// Calls as in JavaScript, bluebird or PromiseKit.
func habits(promise: Promise, queue: DispatchQueue) {
  _ = Promise { resolve, reject in resolve(1) }  // error: cannot conform to 'ExecutionContext'
  _ = Promise.retry(3, delay: 0.5) { promise }  // error: to expected argument type 'RetryDelay'
  _ = Promise.all(  // error: missing argument label 'on:' in call
    promise,  // error: cannot convert value of type 'Promise' to expected argument type '[Any?]'
    promise)  // error: argument type 'Promise' does not conform to expected type 'ExecutionContext'
  promise.then(  // error: extraneous argument label 'on:' in call
    on: queue  // error: cannot convert value of type 'DispatchQueue' to expected argument type
  ) { _ in 1 }
}

func shapes(promise: Promise) {
  promise.then { first, second in 1 }  // error: cannot infer type of closure parameter
  promise.finally { value in 1 }  // error: contextual closure type
  promise.reject()  // error: missing argument for parameter #1 in call
  promise.isPending = true  // error: 'isPending' is a get-only property
}

func waits(promise: Promise) async {
  promise.wait()  // error: unavailable from asynchronous contexts
}
