let shouted = firstly {
  Promise.value("hello")
}.map { (text: String) in
  text.uppercased()
}
let lengths = when(fulfilled: shouted, Promise.value("you"))
  .map { (first: String, second: String) in [first.count, second.count] }
let found = try lengths.get(as: [Int].self, timeout: 60)
precondition(found == [5, 3])
print("PromiseKitNames: \(found)")
