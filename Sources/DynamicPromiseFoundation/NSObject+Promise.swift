// Apple systems only. This file is not compiled on Linux, which has no key-value observing, and no test runs
// it. The file is small enough to check by reading.

#if canImport(ObjectiveC)
  import DynamicPromise
  import Foundation

  extension NSObjectProtocol where Self: NSObject {
    /// A promise for a property's first value that satisfies `isWanted`, by key-value observing. The current
    /// value is checked too.
    ///
    /// The observation ends when the promise settles, is cancelled or is abandoned. The promise does not
    /// retain the object.
    ///
    /// - Parameters:
    ///   - keyPath: The property. It must be observable (`@objc dynamic`).
    ///   - context: The default context of the promise and its descendants.
    ///   - fileID: The file of the call, for the promise's origin.
    ///   - line: The line of the call.
    ///   - isWanted: Whether to accept a value. Called on this thread for the current value, and then on the
    ///     thread that changes the property.
    public func valuePromise<Value>(
      for keyPath: KeyPath<Self, Value>, on context: (any ExecutionContext)? = .inherited,
      fileID: StaticString = #fileID, line: UInt = #line,
      where isWanted: @escaping @Sendable (Value) -> Bool
    ) -> Promise {
      let (promise, resolver) = Promise.pending(on: context, fileID: fileID, line: line)
      let observation = Handed(
        observe(keyPath, options: [.initial, .new]) { _, change in
          if let value = change.newValue, isWanted(value) { resolver.fulfill(value) }
        })
      // These closures retain the observation until the promise has settled, because a release ends an
      // observation.
      resolver.onCancel { _ in observation.value.invalidate() }
      resolver.onAbandon { observation.value.invalidate() }
      return promise
    }
  }
#endif
