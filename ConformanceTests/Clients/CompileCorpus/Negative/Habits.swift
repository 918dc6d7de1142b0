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
