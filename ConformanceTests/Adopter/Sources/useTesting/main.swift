import DynamicPromise
import DynamicPromiseTesting

let context = TestContext()
let (page, resolver) = Promise.pending(on: context)
let title = page.then { (text: String) in text.uppercased() }
resolver.fulfill("hello")
precondition(title.isPending && context.pendingJobs == 1)
context.step()
precondition(title.isFulfilled)

let answer = Promise(on: context)
let limited = answer.setTimeout(3600).catch { _ in "no answer" }
context.advance(by: 3600)
precondition(limited.isFulfilled)
print("DynamicPromiseTesting: an hour has passed")
