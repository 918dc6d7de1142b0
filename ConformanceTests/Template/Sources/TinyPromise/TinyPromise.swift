import Dispatch
import Foundation

/// A small untyped promise: replace it with your own. Handlers run on one serial queue, or on a given
/// context.
public final class TinyPromise: @unchecked Sendable {
  /// A job of a context: a handler, or a step between promises.
  public typealias Job = @Sendable () -> Void
  /// Schedules a job, which may run a handler.
  public typealias Context = @Sendable (@escaping Job) -> Void

  /// The reason of a promise that would wait for itself.
  public struct Cycle: Error {}

  private enum Outcome: @unchecked Sendable {
    case fulfilled(Any)
    case rejected(any Error)
  }

  private enum State {
    case pending([@Sendable (Outcome) -> Void])
    case settled(Outcome)
  }

  private static let queue = DispatchQueue(label: "tiny")
  /// The default context: a serial queue.
  public static let onQueue: Context = { queue.async(execute: $0) }

  // All promises share one lock, so that a cycle is detected even if two threads close it at the same
  // instant.
  private static let lock = NSLock()
  private let context: Context?
  private var state = State.pending([])
  private var isResolved = false
  private var adopted: TinyPromise?

  /// Creates a pending promise. Without a context, handlers run on the stack that settles or registers.
  public init(context: Context? = onQueue) { self.context = context }

  /// Fulfills the promise, if no earlier call has settled or resolved it.
  public func fulfill(_ value: Any) { if claim() { settle(.fulfilled(value)) } }

  /// Rejects the promise, if no earlier call has settled or resolved it.
  public func reject(_ reason: any Error) { if claim() { settle(.rejected(reason)) } }

  /// Resolves the promise with a promise, a thenable or a value, if no earlier call has settled or resolved
  /// it.
  public func resolve(_ x: Any) { if claim() { run(x) } }

  /// Adds handlers. Returns the promise for their result.
  public func then(
    _ onFulfilled: (@Sendable (Any) throws -> Any)?, _ onRejected: (@Sendable (any Error) throws -> Any)?
  ) -> TinyPromise {
    let child = TinyPromise(context: context)
    whenSettled { outcome in
      do {
        switch outcome {
        case .fulfilled(let value):
          if let onFulfilled { child.resolve(try onFulfilled(value)) } else { child.fulfill(value) }
        case .rejected(let reason):
          if let onRejected { child.resolve(try onRejected(reason)) } else { child.reject(reason) }
        }
      } catch {
        child.reject(error)
      }
    }
    return child
  }

  private func claim() -> Bool {
    Self.lock.withLock {
      defer { isResolved = true }
      return !isResolved
    }
  }

  /// Runs the resolution procedure. The caller has claimed this promise.
  private func run(_ x: Any) {
    if let promise = x as? TinyPromise { return adopt(promise) }
    guard let thenable = x as? any TinyThenable else { return settle(.fulfilled(x)) }
    let first = Once()
    do {
      guard let then = try thenable.then else { return settle(.fulfilled(x)) }
      try then(
        { y in if first.take() { self.run(y) } }, { r in if first.take() { self.settle(.rejected(r)) } })
    } catch {
      if first.take() { settle(.rejected(error)) }
    }
  }

  private func adopt(_ other: TinyPromise) {
    let isCycle = Self.lock.withLock {
      var next: TinyPromise? = other
      while let promise = next {
        if promise === self { return true }
        next = promise.adopted
      }
      adopted = other
      return false
    }
    if isCycle { return settle(.rejected(Cycle())) }
    other.whenSettled { [self] outcome in
      Self.lock.withLock { adopted = nil }
      settle(outcome)
    }
  }

  private func settle(_ outcome: Outcome) {
    let rest = Self.lock.withLock { () -> [Job] in
      guard case .pending(let waiting) = state else { return [] }
      state = .settled(outcome)
      return schedule(waiting, outcome)
    }
    for job in rest { job() }
  }

  private func whenSettled(_ reaction: @escaping @Sendable (Outcome) -> Void) {
    let rest = Self.lock.withLock { () -> [Job] in
      switch state {
      case .pending(let waiting):
        state = .pending(waiting + [reaction])
        return []
      case .settled(let outcome):
        return schedule([reaction], outcome)
      }
    }
    for job in rest { job() }
  }

  /// Called with the lock held, so that no later `then` call overtakes earlier ones. Returns jobs to run
  /// after unlocking.
  private func schedule(_ reactions: [@Sendable (Outcome) -> Void], _ outcome: Outcome) -> [Job] {
    let jobs = reactions.map { reaction -> Job in { reaction(outcome) } }
    guard let context else { return jobs }
    for job in jobs { context(job) }
    return []
  }

  private final class Once: @unchecked Sendable {
    private let lock = NSLock()
    private var isTaken = false

    func take() -> Bool {
      lock.withLock {
        defer { isTaken = true }
        return !isTaken
      }
    }
  }
}

/// The thenables that ``TinyPromise`` recognizes.
public protocol TinyThenable {
  typealias Then =
    @Sendable (@escaping @Sendable (Any) -> Void, @escaping @Sendable (any Error) -> Void) throws -> Void
  var then: Then? { get throws }
}
