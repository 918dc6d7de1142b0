import PromiseKitTypes

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
print("PromiseKitTypes: \(text)")
