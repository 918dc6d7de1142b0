// Twenty steps without annotations.

import DynamicPromise

func chain(promise: Promise) {
  promise
    .then { $0 as! Int + 1 }
    .then { value in value }
    .then { _ in Promise.resolved(1) }
    .then { _ in }
    .catch { _ in 2 }
    .then { $0 as! Int + 1 }
    .then { value in value }
    .then { _ in Promise.resolved(1) }
    .then { _ in }
    .catch { _ in 2 }
    .then { $0 as! Int + 1 }
    .then { value in value }
    .then { _ in Promise.resolved(1) }
    .then { _ in }
    .catch { _ in 2 }
    .then { $0 as! Int + 1 }
    .then { value in value }
    .then { _ in Promise.resolved(1) }
    .then { _ in }
    .catch { _ in 2 }
}
