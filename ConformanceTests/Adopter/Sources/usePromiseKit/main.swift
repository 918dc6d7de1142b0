import PromiseKitNames

let shouted = firstly {
  Promise.value("hello")
}.map { (text: String) in
  text.uppercased()
}
let text = try shouted.get(as: String.self, timeout: 60)
precondition(text == "HELLO")

let lengths = when(fulfilled: shouted, .value("you"))
  .map { (first: String, second: String) in [first.count, second.count] }
  .mapValues { (length: Int) in length + 1 }
precondition(try lengths.get(as: [Int].self, timeout: 60) == [6, 4])

struct Refused: Error {}
let recovered = firstly { Promise(error: Refused()) }.recover { _ in Promise.value(7) }
precondition(try recovered.get(as: Int.self, timeout: 60) == 7)
print("PromiseKitNames: \(text)")
