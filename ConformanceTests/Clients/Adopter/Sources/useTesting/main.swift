import DynamicPromise
import DynamicPromiseTesting

let context = TestContext()
let (page, resolver) = Promise.pending(on: context)
let title = page.then { (text: String) in text.uppercased() }
resolver.fulfill("hello")
precondition(title.isPending && context.pendingJobs == 1)
context.step()
precondition(title.isFulfilled)
print("DynamicPromiseTesting: \(title)")
