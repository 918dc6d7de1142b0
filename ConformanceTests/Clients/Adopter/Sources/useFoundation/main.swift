import DynamicPromise
import DynamicPromiseFoundation
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

let refused = URLSession.shared.request(URL(string: "http://127.0.0.1:1/")!).decoded(as: [Int].self)
  .catch { (_: URLError) in [0] }
let none = try refused.get(as: [Int].self, timeout: 60)
precondition(none == [0])
print("DynamicPromiseFoundation: \(none)")
