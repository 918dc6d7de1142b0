// One expression with arithmetic, in every family of operators.

import DynamicPromise

actor Desk {}

struct Failure: Error { let n = 1 }

func plain(promise: Promise) {
  promise
    .catch { (n: Failure) in Double(n.n) * 1.5 / 2 + Double(n.n) - 3 }
    .then({ (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }, { _ in 1.0 })
    .then { (n: Int) in
      await Task.yield(); return Double(n) * 1.5 / 2 + Double(n) - 3
    }
    .then {
      let n = 1; return Double(n) * 1.5 / 2 + Double(n) - 3
    }
}

func placed(promise: Promise) {
  promise
    .catchOn(.main) { (n: Failure) in Double(n.n) * 1.5 / 2 + Double(n.n) - 3 }
    .thenOn(.main, { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }, { _ in 1.0 })
    .thenOn(.main) { (n: Int) in
      await Task.yield(); return Double(n) * 1.5 / 2 + Double(n) - 3
    }
    .thenOnMain { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .catchOnMain { (n: Failure) in Double(n.n) * 1.5 / 2 + Double(n.n) - 3 }
}

func isolated(promise: Promise, desk: Desk) {
  promise
    .thenOn(desk) { (_, n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
    .catchOn(desk) { (_, n: Failure) in Double(n.n) * 1.5 / 2 + Double(n.n) - 3 }
    .finallyOn(desk) { (_) in Double(1) * 1.5 / 2 + Double(2) - 3 }
}

func made(n: Int) {
  Promise.sequence([1, 2], on: .main) { (n: Int) in Double(n) * 1.5 / 2 + Double(n) - 3 }
  Promise.task(on: .main) { Double(n) * 1.5 / 2 + Double(n) - 3 }.then { $0 }
}
