// Code that ignores that a value is `Any`; docs/compile-errors.md shows what to write instead.

import DynamicPromise

private func values(promise: Promise) async throws {
  promise.then { name in name.count }  // error: cannot infer type of closure parameter 'name' without
  let any = try await promise.value
  let _: Int = any  // error: cannot convert value of type 'Any' to specified type 'Int'
  let _ = Promise<Int>()  // error: cannot specialize non-generic type 'Promise'
}

private func arithmetic(promise: Promise) {
  promise.then { (n: Int) in n * 1.5 }  // error: binary operator '*' cannot be applied to operands of type
}

private func bareReturn(promise: Promise) {
  promise.then { (number: Int) in
    guard number > 3 else { return }
    return number  // error: cannot convert value of type 'Int' to closure result type '()'
  }
  promise.then({ (n: Int) in n }, { _ in nil })  // error: generic parameter 'U' could not be inferred
}

private func localFunction(promise: Promise) {
  func half(_ number: Int) -> Int { number / 2 }
  promise.then(half)  // error: converting non-Sendable function value to
}
