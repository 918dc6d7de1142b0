// Helpers for the resolution and asynchrony tests: thenables of every kind, stack marks and a box.

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

/// An error that is also a thenable.
struct ThenableError: Error, Thenable {
  let value: String
  var then: ThenMethod? { { resolve, _ in resolve(value) } }
}

/// A thenable that reports each read of its getter and each call of its method.
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

/// Marks the current thread's stack while `mark` runs its body.
enum Stack {
  private static let key = "CoreTests.Stack"

  static var marker: String { Thread.current.threadDictionary[key] as? String ?? "nothing" }

  @discardableResult
  static func mark<T>(_ name: String, _ body: () throws -> T) rethrows -> T {
    let before = Thread.current.threadDictionary[key]
    Thread.current.threadDictionary[key] = name
    defer { Thread.current.threadDictionary[key] = before }
    return try body()
  }
}

/// A mark on the stack that runs `during`.
struct StackMark {
  var isSet: Bool { Stack.marker == "marked" }

  func during(_ body: () -> Void) { Stack.mark("marked", body) }
}

/// Carries a value to another thread without a check.
struct UncheckedValue<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

/// Whether `value` is an empty Optional, at any depth.
func isNil(_ value: Any) -> Bool {
  let mirror = Mirror(reflecting: value)
  guard mirror.displayStyle == .optional else { return false }
  return mirror.children.first.map { isNil($0.value) } ?? true
}

/// A thenable that stores the two functions passed to it.
struct DeferredThenable: Thenable {
  typealias Functions = (resolve: @Sendable (Any) -> Void, reject: @Sendable (Any) -> Void)
  let functions: Log<Functions>
  init(_ functions: Log<Functions>) { self.functions = functions }

  var then: ThenMethod? { { resolve, reject in functions.append((resolve: resolve, reject: reject)) } }
}

/// A thenable that resolves at once with a promise.
struct ThenableOf: Thenable {
  let promise: Promise
  init(_ promise: Promise) { self.promise = promise }

  var then: ThenMethod? { { resolve, _ in resolve(promise) } }
}

/// A thenable that resolves at once with another thenable, until `left` is zero.
struct Countdown: Thenable {
  let left: Int
  init(_ left: Int) { self.left = left }

  var then: ThenMethod? { { resolve, _ in left == 0 ? resolve("done") : resolve(Countdown(left - 1)) } }
}
