// A client whose declarations are isolated to the main actor by default.

import Dispatch
import DynamicPromise

struct User {
  let name: String
  init(_ json: String) throws { name = json }
}

nonisolated struct Parsed {
  let count: Int
  init(_ json: String) throws { count = json.count }
}

final class Screen {
  var title = ""

  func show(_ promise: Promise) -> Promise {
    promise
      .then { (json: String) in try Parsed(json) }
      .then { (parsed: Parsed) in parsed.count }
      .thenOnMain { (count: Int) in
        self.title = "\(count)"
        return try User(self.title)
      }
      .then { (user: User) in await greeting(of: user) }
      .catchOnMain { self.title = "\($0)" }
      .finallyOnMain { self.title += "." }
  }

  func watch(_ future: Promise) async throws {
    title = try await future.value(as: String.self)
    for await result in Promise.results(of: [future, 1]) { title += "\(result)" }
  }
}

func greeting(of user: User) -> String { user.name }

struct OwnContext: ExecutionContext {
  let queue = DispatchQueue(label: "own")
  func execute(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }
}

struct Answer: Thenable {
  var then: ThenMethod? { { resolve, _ in resolve(42) } }
}

func made() -> Promise {
  let (promise, resolver) = Promise.pending()
  resolver.onCancel { reason in print(reason) }
  let task = Promise { try await Task.sleep(for: .seconds(1)) }
  return Promise.all([promise, task, Promise.task { 1 }, Answer()]).thenOn(OwnContext()) { $0 }
}
