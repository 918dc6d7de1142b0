// A step with arithmetic. The type checker tries every operator in every shape of handler.

import DynamicPromise

func chain(promise: Promise) {
  promise
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
}
