import DynamicPromise

class Derived: Promise {}  // error: inheritance from a final class 'Promise'

func assigns(promise: Promise) {
  promise.isPending = true  // error: 'isPending' is a get-only property
  promise.parent = nil  // error: 'parent' is a get-only property
}

func misfits(promise: Promise) {
  promise.then(1)  // error: no exact matches
  promise.thenOn("queue") { _ in 1 }  // error: does not conform to expected type
  _ = Promise(onAbandon: {})  // error: missing argument for parameter 'onCancel' in call
  _ = Resolver(promise, nil)  // error: inaccessible due to 'internal' protection level
}

func waits(promise: Promise) async {
  promise.wait()  // error: unavailable from asynchronous contexts
}

final class Unsafe: ExecutionContext {
  var jobs: [@Sendable () -> Void] = []  // error: is mutable
  func execute(_ job: @escaping @Sendable () -> Void) { jobs.append(job) }
}
