import Dispatch
import DynamicPromise

// A chain on several contexts, with an asynchronous handler.
let greeting = Promise { resolver in resolver.fulfill("hello") }
  .then { (word: String) in word + ", world" }
  .thenOn(DispatchQueue(label: "shout")) { (text: String) in text + "!" }
  .then { (text: String) async in text }

// An error, and a handler that recovers from it.
struct Missing: Error {}
let recovered = Promise.rejected(Missing())
  .then { _ in "never" }
  .catch { (_: Missing) in "a default" }
  .finally {}

// A combinator.
let all = try Promise.all([greeting, recovered]).get(as: [Any].self, timeout: 60)
precondition(all as? [String] == ["hello, world!", "a default"])

// A cancel reaches the task.
let stopped = DispatchSemaphore(value: 0)
let task = Promise(onCancel: { _ in stopped.signal() })
let page = task.then { _ in "page" }
page.root.cancel()
stopped.wait()
precondition(page.isCancelled)

// A promise in async/await code.
let done = DispatchSemaphore(value: 0)
Task.detached {
  let answer = try await Promise { 42 }.then { (number: Int) async in number }.value(as: Int.self)
  precondition(answer == 42)
  done.signal()
}
done.wait()
print("DynamicPromise: \(all)")
