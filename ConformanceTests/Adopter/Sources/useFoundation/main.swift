import DynamicPromise
import DynamicPromiseFoundation
import Foundation

let sum = Promise.resolved(Data("[1, 2, 3]".utf8))
  .decoded(as: [Int].self)
  .thenOn(.operations("sums", width: 1)) { (numbers: [Int]) in numbers.reduce(0, +) }
let found = try sum.get(as: Int.self, timeout: 60)
precondition(found == 6)
print("DynamicPromiseFoundation: \(found)")
