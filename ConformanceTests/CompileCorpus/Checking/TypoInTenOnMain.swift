// A typo in one of ten steps on `.main` is reported in that step.

import DynamicPromise

func chain(promise: Promise) {
  promise
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(m) - 3 }  // error: cannot find 'm' in scope
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
}
