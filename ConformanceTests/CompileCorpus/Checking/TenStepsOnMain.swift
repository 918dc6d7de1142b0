// Ten steps with arithmetic in one expression, on a context that is written without its type's name.

import DynamicPromise

func chain(promise: Promise) {
  promise
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .thenOn(.main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
}
