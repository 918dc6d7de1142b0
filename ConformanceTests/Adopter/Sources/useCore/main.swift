import Dispatch
import DynamicPromise

// A chain, on several contexts, with a handler that is asynchronous.
let greeting = Promise { resolver in resolver.fulfill("hello") }
  .then { (word: String) in word + ", world" }
  .thenOn(DispatchQueue(label: "shout")) { (text: String) in text + "!" }
  .then { (text: String) async in text }
let said = try greeting.get(as: String.self, timeout: 60)
precondition(said == "hello, world!")

// An error, and what becomes of it.
struct Missing: Error {}
let recovered = Promise.rejected(Missing())
  .then { _ in "never" }
  .catch { (_: Missing) in "a default" }
  .finally {}
let fallback = try recovered.get(as: String.self, timeout: 60)
precondition(fallback == "a default")

// Combinators.
let all = try Promise.all([greeting, 3]).spread { (text: String, number: Int) in "\(text) \(number)" }
  .get(as: String.self, timeout: 60)
precondition(all == "hello, world! 3")
let doubled = Promise.map([1, 2, 3], concurrency: 2) { (number: Int) in number * 2 }
let numbers = try doubled.get(as: [Any].self, timeout: 60)
precondition(numbers.count == 3)

// A cancel reaches the task behind a chain that a handler returned.
let stopped = DispatchSemaphore(value: 0)
let login = Promise()
let begun = DispatchSemaphore(value: 0)
let page = login.then { _ in
  begun.signal()
  return Promise(onCancel: { _ in stopped.signal() }, onAbandon: { stopped.signal() })
}
login.fulfill("user")
begun.wait()
page.root.cancel()
stopped.wait()
precondition(page.isCancelled)

// And async/await.
let done = DispatchSemaphore(value: 0)
Task.detached {
  let answer = try await Promise { 42 }.then { (number: Int) async in number }.value(as: Int.self)
  precondition(answer == 42)
  done.signal()
}
done.wait()
print("DynamicPromise: \(said)")
