import Dispatch
import DynamicPromise

// Calls as in JavaScript, bluebird or PromiseKit.
func habits(promise: Promise, queue: DispatchQueue) {
  _ = Promise { resolve, reject in  // error: expects 1 argument, but 2 were used in closure body
    resolve(1)  // error: cannot call value of non-function type 'Resolver'
  }
  promise.done { x in print(x) }  // error: unavailable: write then { ... }, or thenOnMain { ... } for
  promise.done(on: .main) { (name: String) in print(name) }  // error: unavailable: write then { ... }, or
  promise.map { x in "\(x)" }  // error: unavailable: write then { ... }; its closure returns
  promise.map { (name: String) in name.count }  // error: unavailable: write then { ... }; its closure returns
  promise.flatMap { x in promise }  // error: unavailable: write then { ... }; its closure returns a value or
  promise.flatMap { (name: String) in promise }  // error: unavailable: write then { ... }; its closure
  promise.recover { error in 1 }  // error: unavailable: write catch { ... }; its result is the value
  promise.always { print(1) }  // error: unavailable: write finally { ... }
  promise.sink { x in print(x) }  // error: unavailable: write then { ... } and catch { ... }, or onSuccess
  promise.then(on: queue) { _ in 1 }  // error: unavailable: write thenOn(queue) { ... }
  promise.then(on: .main) { (name: String) in 1 }  // error: unavailable: write thenOn(queue) { ... }
  promise.then { $0 }  // the mistake is in the next line
    .done { (name: String) in print(name) }  // error: unavailable: write then { ... }, or thenOnMain
    .catch { _ in }
}

struct Lost: Error {}

func shapes(promise: Promise, known: Bool) {
  promise.then { first, second in 1 }  // error: cannot infer type of closure parameter
  promise.finally { value in 1 }  // error: contextual closure type
  promise.catch(Lost.self) { _ in 1 }  // error: extra trailing closure passed in call | Lost.Type
  promise.then { (name: String) in known ? promise : name }  // error: result values in
  promise.reject()  // error: missing argument for parameter #1 in call
  promise.isPending = true  // error: 'isPending' is a get-only property
}

func waits(promise: Promise) async throws {
  let name: String = try await promise  // error: of type 'Promise' to specified type | within 'await' | 'try'
  promise.wait()  // error: unavailable from asynchronous contexts
}
