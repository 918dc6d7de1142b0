// The contexts on which handlers run.

import Dispatch
import DynamicPromise
import Seeds

enum Contexts {
  static let serial = [DispatchQueue(label: "serial 1"), DispatchQueue(label: "serial 2")]
  static let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
  private static let away = DispatchQueue(label: "elsewhere", attributes: .concurrent)
  static let actor = Somebody()

  /// A random context that is not an actor.
  static func any(_ random: inout Random) -> any ExecutionContext {
    switch random.below(12) {
    case 0, 1: serial[0]
    case 2: serial[1]
    case 3: concurrent
    case 4: .reading(concurrent) as ReadingContext
    case 5, 6: .immediate as ImmediateContext
    case 7: .current as CurrentContext
    case 8: .inherited as InheritedContext
    case 9: DefaultContext.shared
    case 10: Foreign(queue: serial[random.below(2)])
    default: Unreliable(random: random.fork())
    }
  }

  static func elsewhere(_ body: @escaping @Sendable () -> Void) { away.async(execute: body) }
}

actor Somebody {}

/// A context of a type that the library does not recognize.
final class Foreign: Live, ExecutionContext, @unchecked Sendable {
  private let queue: DispatchQueue

  init(queue: DispatchQueue) {
    self.queue = queue
    super.init(.context)
  }

  func execute(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }
}

/// A context that runs a job on another thread: once, twice, or never.
final class Unreliable: Live, ExecutionContext, @unchecked Sendable {
  private let random: Mutexed<Random>

  init(random: Random) {
    self.random = Mutexed(random)
    super.init(.context)
  }

  func execute(_ job: @escaping @Sendable () -> Void) {
    var random = random.value
    let way = random.below(6)
    self.random.value = random
    switch way {
    case 0: break
    case 1:
      Contexts.elsewhere(job)
      Contexts.elsewhere(job)
    default: Contexts.elsewhere(job)
    }
  }
}
