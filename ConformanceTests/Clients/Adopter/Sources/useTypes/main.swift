import Foundation
import PromiseKitTypes

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

conf.Q = (map: nil, return: nil)

// With this product alone, cancelled loads are not reported.
var told = 0
Promise<String>(error: URLError(.cancelled)).catch { _ in told += 1 }
Promise<String>(error: URLError(.timedOut)).catch { _ in told += 10 }
precondition(told == 10)
print("PromiseKitTypes: \(told / 10) of 2 errors was reported")
