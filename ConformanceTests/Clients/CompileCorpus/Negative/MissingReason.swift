import DynamicPromise

func withoutReason(promise: Promise, resolver: Resolver) {
  promise.reject()  // error: missing argument for parameter #1 in call
  resolver.reject()  // error: missing argument for parameter #1 in call
  _ = Promise.rejected()  // error: missing argument for parameter #1 in call
}

func withoutValue(promise: Promise, resolver: Resolver) {
  promise.fulfill()  // error: missing argument for parameter #1 in call
  resolver.resolve()  // error: missing argument
  _ = Promise.resolved()  // error: missing argument for parameter #1 in call
}
