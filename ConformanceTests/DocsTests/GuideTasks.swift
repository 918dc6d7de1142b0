import DynamicPromise
import Foundation

// The tasks in the guide's examples.

struct Missing: Error, Equatable {
  let name: String
}

enum GuideTasks {
  static let texts = [
    "greeting": "hello", "numbers": "1 2 3", "user": "ann", "greeting of ann": "hello, ann",
    "settings": "dark",
  ]

  static func load(_ name: String) -> Promise {
    Promise { resolver in
      fetch(name) { text, error in resolver.resolve(text, error) }
    }
  }
}

func load(_ name: String) -> Promise { GuideTasks.load(name) }

/// A callback API that promises can wrap.
func fetch(_ name: String, _ completion: @escaping @Sendable (String?, (any Error)?) -> Void) {
  DispatchQueue.global().async {
    if let text = GuideTasks.texts[name] {
      completion(text, nil)
    } else {
      completion(nil, Missing(name: name))
    }
  }
}

func parse(_ text: String) throws -> [Int] {
  try text.split(separator: " ").map {
    guard let number = Int($0) else { throw Missing(name: "number") }
    return number
  }
}

func answer() async throws -> Int { 42 }

/// A task that continues until it is stopped or finished.
final class Download: @unchecked Sendable {
  private let lock = NSLock()
  private var completion: (@Sendable (String) -> Void)?
  private var isStopped = false

  func start(_ completion: @escaping @Sendable (String) -> Void) {
    lock.withLock { self.completion = completion }
  }

  func stop() {
    lock.withLock {
      completion = nil
      isStopped = true
    }
  }

  var wasStopped: Bool { lock.withLock { isStopped } }

  func finish(_ text: String) {
    let completion = lock.withLock { self.completion }
    completion?(text)
  }
}
