import DynamicPromise

func settle(future: Future, other: Promise) {
  future.fulfill(1)  // error: value of type 'Future' has no member 'fulfill'
  future.reject("no")  // error: value of type 'Future' has no member 'reject'
  future.resolve(1)  // error: value of type 'Future' has no member 'resolve'
  future.bind(other)  // error: value of type 'Future' has no member 'bind'
  _ = future.promise  // error: 'promise' is inaccessible due to 'package' protection level
  _ = Future(other)  // error: 'Future' initializer is inaccessible due to 'internal' protection level
  let up: Promise? = future.then { $0 }.parent  // error: cannot assign value of type 'Future?'
  _ = up
}
