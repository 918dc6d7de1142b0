import Foundation
import PromiseKitTypes

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct User {
  let name: String
}

func load(_ name: String) -> Promise<User> {
  Promise { seal in seal.fulfill(User(name: name)) }
}

conf.Q = (map: nil, return: nil)
let greeting: Promise<String> = when(fulfilled: load("ann"), load("bob")).map { ann, bob in
  "\(ann.name) and \(bob.name)"
}
let text = try greeting.wait()
precondition(text == "ann and bob")

// With this product alone, cancelled loads are not reported.
var told = 0
Promise<String>(error: URLError(.cancelled)).catch { _ in told += 1 }
Promise<String>(error: URLError(.timedOut)).catch { _ in told += 10 }
precondition(told == 10)
print("PromiseKitTypes: \(text)")
