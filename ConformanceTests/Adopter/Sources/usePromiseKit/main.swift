import PromiseKitNames

let shouted = firstly {
  Promise.value("hello")
}.map { (text: String) in
  text.uppercased()
}
let text = try shouted.get(as: String.self, timeout: 60)
precondition(text == "HELLO")
print("PromiseKitNames: \(text)")
