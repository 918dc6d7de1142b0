import DynamicPromise
import DynamicPromiseFoundation
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

let sum = Promise.resolved(Data("[1, 2, 3]".utf8))
  .decoded(as: [Int].self)
  .thenOn(.operations("sums", width: 1)) { (numbers: [Int]) in numbers.reduce(0, +) }
let found = try sum.get(as: Int.self, timeout: 60)
precondition(found == 6)

// Runs a program and makes a request.
let echo = Process()
echo.executableURL = URL(fileURLWithPath: "/bin/echo")
echo.arguments = ["hello"]
let printed = try echo.runPromise().then { (result: ProcessResult) in result.text }
  .get(as: String.self, timeout: 60)
precondition(printed == "hello\n")

let refused = URLSession.shared.request(URL(string: "http://127.0.0.1:1/")!).validate()
  .decoded(as: [Int].self)
  .catch { (_: URLError) in [0] }
let none = try refused.get(as: [Int].self, timeout: 60)
precondition(none == [0])
print("DynamicPromiseFoundation: \(found)")
