// Ten steps with arithmetic in one expression.

import DynamicPromise

func chain(promise: Promise) {
  promise
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
}
