import DynamicPromise
import Foundation
import TestSupport
import XCTest

// The stand-ins that the examples of several pages use.

struct Missing: Error, Equatable { let name: String }

// example: resolver
func load(_ name: String) -> Promise {
  Promise { resolver in
    fetch(name) { text, error in resolver.resolve(text, error) }
  }
}
// end

/// A callback API that promises can wrap.
func fetch(_ name: String, _ completion: @escaping @Sendable (String?, (any Error)?) -> Void) {
  let texts = [
    "greeting": "hello", "numbers": "1 2 3", "user": "ann", "greeting of ann": "hello, ann",
    "settings": "dark",
  ]
  DispatchQueue.global().async { completion(texts[name], texts[name] == nil ? Missing(name: name) : nil) }
}

func parse(_ text: String) throws -> [Int] {
  try text.split(separator: " ").map {
    guard let number = Int($0) else { throw Missing(name: "number") }
    return number
  }
}

func answer() async throws -> Int { 42 }

// example: forwarding
func text(of download: Download) -> Promise {
  Promise { resolver in
    download.start { text in resolver.fulfill(text) }
    resolver.onCancel { _ in download.stop() }
    resolver.onAbandon { download.stop() }
  }
}
// end

/// A task that continues until it is stopped or finished.
final class Download: Sendable {
  private let completion = Recorded<(@Sendable (String) -> Void)?>(nil)
  private let isStopped = Recorded(false)

  var wasStopped: Bool { isStopped.value }

  func start(_ completion: @escaping @Sendable (String) -> Void) {
    self.completion.change { $0 = completion }
  }

  func stop() {
    completion.change { $0 = nil }
    isStopped.change { $0 = true }
  }

  func finish(_ text: String) { completion.value?(text) }
}

/// A function that an example calls to show, note or print something. It records the texts of its arguments.
final class Log: Sendable {
  private let recorded = Recorded<[String]>([])

  var lines: [String] { recorded.value }

  func callAsFunction(_ thing: Any) { recorded.change { $0.append("\(thing)") } }
}

extension DispatchQueue {
  private static let mark = DispatchSpecificKey<Bool>()

  /// A queue whose blocks `isModel` recognizes.
  static func model() -> DispatchQueue {
    let queue = DispatchQueue(label: "model")
    queue.setSpecific(key: mark, value: true)
    return queue
  }

  /// Whether the caller runs on a queue that `model()` has made.
  static var isModel: Bool { getSpecific(key: mark) == true }
}

/// A rejection, in a list of outcomes.
struct Rejected: Hashable {
  private let type: String

  init(_ type: any Error.Type) { self.type = "\(type)" }
}

extension XCTestCase {
  /// Waits for each promise. Returns its value, or the type of its reason.
  func ends(of promises: Promise...) -> [AnyHashable] {
    promises.map { promise in
      do {
        switch try outcome(of: promise) {
        case .success(let list as [AnyHashable]): return list
        case .success(let value as AnyHashable): return value
        case .success(let value): return "not comparable: \(value)"
        case .failure(let reason): return Rejected(type(of: reason))
        }
      } catch { return "\(error)" }
    }
  }
}
