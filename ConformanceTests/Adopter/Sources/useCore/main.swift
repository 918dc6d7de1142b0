import DynamicPromise

let greeting = Promise { resolver in resolver.fulfill("hello") }
  .then { (word: String) in word + ", world" }
let said = try greeting.get(as: String.self, timeout: 60)
precondition(said == "hello, world")

let task = Promise()
let step = task.then { _ in "never" }
step.root.cancel()
precondition(step.isCancelled)
print("DynamicPromise: \(said)")
