import DynamicPromise
import DynamicPromisePatterns

let uploads = TaskQueue()
let both = try Promise.all([uploads.add { "user" }, uploads.add { Promise.resolved("settings") }])
  .get(as: [Any].self, timeout: 60)
precondition(both as? [String] == ["user", "settings"])
print("DynamicPromisePatterns: \(both)")
