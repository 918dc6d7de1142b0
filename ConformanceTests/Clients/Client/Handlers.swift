import Dispatch
import DynamicPromise

struct OwnContext: ExecutionContext {
  func execute(_ job: @escaping @Sendable () -> Void) { DispatchQueue.global().async(execute: job) }
}

@MainActor
final class Screen {
  var text = ""
}

func chained(on screen: Screen) -> Promise {
  let queue = DispatchQueue(label: "client")
  return Promise.resolved("12")
    .then { (text: String) in Int(text) }
    .then { value in value as? Int ?? 0 }
    .then({ (number: Int) in number + 1 }, { _ in 0 })
    .then { value in
      await Task.yield()
      return value
    }
    .thenOn(queue) { $0 }
    .thenOn(.main) { (number: Int) in number }
    .thenOn(.serial("client.serial"), { $0 }, nil)
    .thenOn(.concurrent("client.concurrent")) { $0 }
    .thenOn(.reading(queue)) { $0 }
    .thenOn(.immediate) { $0 }
    .thenOn(.shared) { $0 }
    .thenOn(.reading(queue)) { $0 }
    .thenOn(.immediate) { $0 }
    .thenOn(.shared) { $0 }
    .thenOn(OwnContext()) { value in
      await Task.yield()
      return value
    }
    .thenOnMain { value in
      screen.text = "\(value)"
      return value
    }
    .thenOnMain { value in
      await Task.yield()
      screen.text += "!"
      return value
    }
    .thenOnMain({ $0 }, { error in screen.text = "\(error)" })
    .finally {}
    .finally { await Task.yield() }
    .finallyOn(queue) {}
    .finallyOnMain { screen.text += "." }
}

func caught(on screen: Screen) -> Promise {
  Promise.rejected(Refused())
    .catch { (error: PromiseError) in "\(error)" }
    .catchOn(.serial("client.catch")) { (error: PromiseError) in "\(error)" }
    .catchOnMain { (error: PromiseError) in screen.text = "\(error)" }
    .catch { error in throw error }
    .catch { error in
      await Task.yield()
      throw error
    }
    .catchOn(OwnContext()) { error in throw error }
    .catchOnMain { error in
      screen.text = "refused"
      throw error
    }
    .catch { (_: Refused) in "recovered" }
}

func cancelled() -> [Promise] {
  let root = Promise()
  let child = root.then { _ in 1 }
  let noted = child.catch { error in "\(error)" }
  child.cancel("closed")
  root.cancel()
  return [root, child, noted]
}
