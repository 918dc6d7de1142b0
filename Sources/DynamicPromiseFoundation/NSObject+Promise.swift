// Apple systems only. There is no key-value observing on Linux, so this file is not compiled there and no
// test of ours runs it; it is kept so small that it can be checked by reading.

#if canImport(ObjectiveC)
  import DynamicPromise
  import Foundation

  extension NSObjectProtocol where Self: NSObject {
    /// A promise for a property's value, by key-value observing: for the first one that is wanted, the one
    /// that it has now included.
    ///
    /// The observation ends when the promise has settled, and when it is cancelled, or freed because nobody
    /// waits for it. The promise does not keep the object alive.
    ///
    /// - Parameters:
    ///   - keyPath: The property. It has to be observable (`@objc dynamic`).
    ///   - context: The default context of the promise and its descendants.
    ///   - isWanted: Whether to take this value. Called on the thread that changes the property.
    public func valuePromise<Value>(
      for keyPath: KeyPath<Self, Value>, on context: (any ExecutionContext)? = .inherited,
      where isWanted: @escaping @Sendable (Value) -> Bool
    ) -> Promise {
      let (promise, resolver) = Promise.pending(on: context)
      let observation = Handed(
        observe(keyPath, options: [.initial, .new]) { _, change in
          if let value = change.newValue, isWanted(value) { resolver.fulfill(value) }
        })
      // An observation ends when nobody holds it: these closures hold it until the promise has settled.
      resolver.onCancel { _ in observation.value.invalidate() }
      resolver.onAbandon { observation.value.invalidate() }
      return promise
    }
  }
#endif
