import DynamicPromise

private final class Account {
  var balance = 0
}

func captures(promise: Promise) {
  let account = Account()
  promise.then { _ in account.balance += 1 }  // error: capture of 'account' with non-Sendable
  promise.then { (sum: Int) in account.balance += sum }  // error: capture of 'account' with non-Sendable
  promise.catch { _ in account.balance = 0 }  // error: capture of 'account' with non-Sendable
  promise.finally { account.balance = 0 }  // error: capture of 'account' with non-Sendable
  promise.thenOn(.main) { _ in account.balance += 1 }  // error: capture of 'account' with non-Sendable
}
