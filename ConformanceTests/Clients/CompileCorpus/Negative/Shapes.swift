// Handler shapes that do not exist; docs/compile-errors.md shows what to write instead.

import DynamicPromise

private actor Desk {}

private func twoTypes(promise: Promise) {
  promise.then { (number: Int) in
    if number == 1 { return "one" }
    return 1  // error: cannot convert value of type 'Int' to closure result type 'String'
  }
  promise.then { (number: Int) in
    if number == 1 { return nil }  // error: 'nil' requires a contextual type
    return "one"
  }
}

private func bareActor(promise: Promise, desk: Desk) {
  promise.thenOn(desk) { value in value }  // error: expects 2 arguments, but 1 was used in closure body
  promise.thenOn(desk) { (number: Int) in number }  // error: does not conform to expected
  promise.finallyOn(desk) {}  // error: expects 1 argument, which cannot be implicitly ignored
}
