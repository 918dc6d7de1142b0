import DynamicPromise
import DynamicPromisePatterns

let uploads = TaskQueue()
let first = uploads.add { "user" }
let second = uploads.add { Promise.resolved("settings") }
let both = try Promise.all([first, second]).get(as: [Any].self, timeout: 60)
precondition(both.count == 2)
print("DynamicPromisePatterns: \(both)")
