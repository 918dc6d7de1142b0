import DynamicPromise
import DynamicPromiseTesting

let context = TestContext()
let answer = Promise(on: context)
let limited = answer.setTimeout(3600).catch { _ in "no answer" }
context.advance(by: 3599)
precondition(limited.isPending)
context.advance(by: 1)
precondition(limited.isFulfilled)
print("DynamicPromiseTesting: an hour has passed")
