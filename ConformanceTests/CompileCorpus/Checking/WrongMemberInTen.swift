// A missing member in one of ten steps is reported in that step.

import DynamicPromise

func chain(promise: Promise) {
  promise
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .then { (n: Int) in n.nonsense }  // error: value of type 'Int' has no member 'nonsense'
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .then { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
}
