import DynamicPromise

func settle(future: Future, other: Promise) {
  future.fulfill(1)  // error: value of type 'Future' has no member 'fulfill'
  future.reject("no")  // error: value of type 'Future' has no member 'reject'
  future.resolve(1)  // error: value of type 'Future' has no member 'resolve'
  future.bind(other)  // error: value of type 'Future' has no member 'bind'
  _ = future.promise  // error: 'promise' is inaccessible due to 'package' protection level
  let up: Promise? = future.parent  // error: value of type 'Future?'
  let top: Promise = future.root  // error: cannot convert value of type 'Future' to specified type 'Promise'
  _ = (up, top)
}

class Own: Future, @unchecked Sendable {}  // error: cannot inherit from non-open class
