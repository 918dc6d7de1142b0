// Resources that are closed after every outcome. The idea is from bluebird.
//
// A task queue runs `body`, then the closing functions, so that no resource is closed while a cancelled
// `body` runs.

import DynamicPromise

/// A promise for a resource, with the function that closes the resource. An input of `Promise.using`.
public struct PromisedResource: Sendable {
  fileprivate let promise: Promise
  /// Never throws. A failure rejects the returned promise. The error of a type mismatch names no line.
  fileprivate let close: @Sendable (Any) -> Promise
}

extension Promise {
  /// Combines this promise for a resource with the function that closes the resource, for `Promise.using`.
  ///
  /// - Parameter close: Called with the promise's value; a promise that it returns is awaited.
  public func closing<V, T>(_ close: @escaping @Sendable (V) throws -> T) -> PromisedResource {
    PromisedResource(promise: self) {
      opened($0).then({ (value: V) in try close(value) }, line: 0)
    }
  }

  /// Combines this promise for a resource with the asynchronous function that closes the resource, for
  /// `Promise.using`.
  public func closing<V, T>(_ close: @escaping @Sendable (V) async throws -> T) -> PromisedResource {
    PromisedResource(promise: self) {
      opened($0).then({ (value: V) in try await close(value) }, line: 0)
    }
  }
}

/// A promise that is fulfilled with `resource`, even if the resource is an `Error`, a promise or a thenable.
private func opened(_ resource: Any) -> Promise {
  let promise = Promise(on: .immediate)
  promise.fulfill(resource)
  return promise
}

extension Promise {
  /// Calls `body` with the values of the resources when all of them are open. Closes the resources when the
  /// promise of `body` is finished, even after a failure.
  ///
  ///     Promise.using(
  ///       open("log").closing { (file: File) in file.close() },
  ///       connect().closing { (session: Session) in session.end() }
  ///     ) { (file: File, session: Session) in session.download(into: file) }
  ///
  /// The resources are closed one after another, the last one first. If a resource cannot be opened, `body`
  /// is not called, and the opened resources are closed. The result settles with the outcome of `body` when
  /// all resources are closed. If only closing fails, the result is rejected with the first closing error.
  ///
  /// A withdrawal from the result cancels the promise of `body`, and settles the result at once. The opening
  /// of a resource is not cancelled; a resource that opens later is closed once it is open.
  ///
  /// - Parameters:
  ///   - resources: The resources, which may be opening already.
  ///   - context: The context of `body` and of the closing functions, and the default context of the result;
  ///     `nil` for `Promise.defaultContext`.
  ///   - body: Called with the values, each with its parameter's type.
  @discardableResult
  public static func using<each Part, T>(
    _ resources: PromisedResource..., on context: (any ExecutionContext)? = nil,
    _ body: @escaping @Sendable (repeat each Part) throws -> T
  ) -> Promise {
    use(resources, on: context) { queue, values in
      queue.add {
        var parts = Parts(of: values.value, for: nil)
        let inputs = (repeat try parts.next(as: (each Part).self))
        try parts.end()
        return try body(repeat each inputs)
      }
    }
  }

  /// Calls the asynchronous `body` with the values of the resources, like `using` with a synchronous `body`.
  /// A withdrawal from the result cancels the Swift task of `body`.
  @discardableResult
  public static func using<each Part, T>(
    _ resources: PromisedResource..., on context: (any ExecutionContext)? = nil,
    _ body: @escaping @Sendable (repeat each Part) async throws -> T
  ) -> Promise {
    use(resources, on: context) { queue, values in
      queue.add {
        var parts = Parts(of: values.value, for: nil)
        let inputs = (repeat try parts.next(as: (each Part).self))
        try parts.end()
        return try await body(repeat each inputs)
      }
    }
  }

  /// Calls `body` with an array of the resources' values, like `using` with separate resources. `body` is
  /// synchronous, but may return a promise.
  @discardableResult
  public static func using<T>(
    _ resources: [PromisedResource], on context: (any ExecutionContext)? = nil,
    _ body: @escaping @Sendable ([Any]) throws -> T
  ) -> Promise {
    use(resources, on: context) { queue, values in queue.add { try body(values.value as! [Any]) } }
  }

  private static func use(
    _ resources: [PromisedResource], on context: (any ExecutionContext)?,
    _ start: @escaping @Sendable (TaskQueue, UncheckedBox<Any>) -> Promise
  ) -> Promise {
    let (queue, promises) = (TaskQueue(on: context), resources.map(\.promise))
    // `opened` is a consumer of all resources, so that a cancel of the result does not cancel their opening.
    let opened = Promise.allSettled(promises, on: .immediate)
    let used = Promise.all(promises, on: queue.context).thenOn(.immediate) { values in
      start(queue, UncheckedBox(values))
    }
    return used.finallyOn(.immediate) {
      // Waits for `used`, because a cancel of the result runs this closure at once, even if `used` is
      // pending. Does not wait until `used` is finished, because this closure is a part of its work.
      let (isOver, end) = Promise.pending(on: .immediate)
      used.whenSettled { end.fulfill(()) }
      let closed = isOver.thenOn(.immediate) { _ in opened }.thenOn(.immediate) {
        (outcomes: [Result<Any, any Error>]) in
        let opened = UncheckedBox(zip(resources, outcomes).reversed())
        return queue.add { close(opened.value, on: queue.context) }
      }
      // An error of `body` takes precedence over closing errors.
      return used.isRejected ? closed.reflect() : closed
    }
  }

  /// Closes the opened resources in the given order, and continues after failures. The result is rejected
  /// with the first failure.
  private static func close(
    _ resources: [(PromisedResource, Result<Any, any Error>)], on context: (any ExecutionContext)?
  ) -> Promise {
    let open = resources.compactMap { resource, outcome in
      (try? outcome.get()).map { value in UncheckedBox({ resource.close(value).reflect() }) }
    }
    return Promise.sequence(open.indices, on: context) { (index: Int) in open[index].value() }
      .thenOn(.immediate) { (outcomes: [Any]) in
        for case let outcome as Result<Any, any Error> in outcomes { _ = try outcome.get() }
      }
  }
}
