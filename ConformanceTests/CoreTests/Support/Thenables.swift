// Thenables of every kind, a marker of stacks, and a box: for the tests of resolution and of asynchrony.

import DynamicPromise
import XCTest

struct StructThenable: Thenable {
  let method: ThenMethod
  init(_ method: @escaping ThenMethod) { self.method = method }
  var then: ThenMethod? { method }
}

enum EnumThenable: Thenable {
  case one
  var then: ThenMethod? { { resolve, _ in resolve("value") } }
}

class ClassThenable: Thenable {
  let inert: Bool
  init(inert: Bool = false) { self.inert = inert }
  var then: ThenMethod? { inert ? nil : { resolve, _ in resolve("value") } }
}

final class SubclassThenable: ClassThenable {}

/// Both an Error and a thenable.
struct ThenableError: Error, Thenable {
  let value: String
  var then: ThenMethod? { { resolve, _ in resolve(value) } }
}

/// Says when its getter is read and when its method is called.
struct Tracing: Thenable, Sendable {
  let onGet: @Sendable () -> Void
  let onCall: @Sendable () -> Void

  var then: ThenMethod? {
    onGet()
    return { resolve, _ in
      onCall()
      resolve("traced")
    }
  }
}

/// What lies below on the current stack: set while `mark` runs its body, on this thread only.
enum Stack {
  private static let key = "CoreTests.Stack"

  static var marker: String { Thread.current.threadDictionary[key] as? String ?? "nothing" }

  static func mark<T>(_ name: String, _ body: () throws -> T) rethrows -> T {
    let before = Thread.current.threadDictionary[key]
    Thread.current.threadDictionary[key] = name
    defer { Thread.current.threadDictionary[key] = before }
    return try body()
  }
}

/// Carries a value that one thread hands to the next.
struct UncheckedValue<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// Whether `value` is an Optional that holds nothing, at any depth.
func isNil(_ value: Any) -> Bool {
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .optional else { return false }
  return mirror.children.first.map { isNil($0.value) } ?? true
}

/// Keeps the two functions that it is given.
struct DeferredThenable: Thenable {
  typealias Functions = (resolve: @Sendable (Any) -> Void, reject: @Sendable (Any) -> Void)
  let functions: Log<Functions>
  init(_ functions: Log<Functions>) { self.functions = functions }

  var then: ThenMethod? {
    { resolve, reject in functions.append((resolve: resolve, reject: reject)) }
  }
}

/// Resolves at once with a promise.
struct ThenableOf: Thenable {
  let promise: Promise
  init(_ promise: Promise) { self.promise = promise }

  var then: ThenMethod? { { resolve, _ in resolve(promise) } }
}

/// A thenable that resolves, at once, with a thenable.
struct Countdown: Thenable {
  let left: Int
  init(_ left: Int) { self.left = left }

  var then: ThenMethod? {
    { resolve, _ in left == 0 ? resolve("done") : resolve(Countdown(left - 1)) }
  }
}
