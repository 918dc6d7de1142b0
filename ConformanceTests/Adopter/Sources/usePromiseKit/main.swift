import PromiseKitNames

let shouted = firstly {
  Promise.value("hello")
}.map { (text: String) in
  text.uppercased()
}
let text = try shouted.get(as: String.self, timeout: 60)
precondition(text == "HELLO")

let lengths = when(fulfilled: shouted, Promise.value("you"))
  .map { (first: String, second: String) in [first.count, second.count] }
  .mapValues { (length: Int) in length + 1 }
let found = try lengths.get(as: [Int].self, timeout: 60)
precondition(found == [6, 4])

struct Refused: Error {}
let recovered = firstly { Promise(error: Refused()) }.recover { _ in Promise.value(7) }
let seven = try recovered.get(as: Int.self, timeout: 60)
precondition(seven == 7)
print("PromiseKitNames: \(text)")
