import Dispatch
import DynamicPromise

let greeting = Promise { resolver in resolver.fulfill("hello") }
  .then { (word: String) in word + ", world" }
  .thenOn(DispatchQueue(label: "shout")) { (text: String) async in text + "!" }
let text = try greeting.get(as: String.self, timeout: 60)
precondition(text == "hello, world!")
print("DynamicPromise: \(text)")
