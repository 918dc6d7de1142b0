// The public interface of the cache. `CacheTable.swift` has what is kept and who waits,
// `PromiseCache+Loading.swift` how a value is loaded.

import DynamicPromise

/// A cache of promises: all who ask for a value while it is being loaded wait for the same load, and the
/// loaded value is kept for a while.
///
///     let images = PromiseCache<URL>(lifetime: 300, limit: 100)
///     images.promise(for: url) { fetchImage(url) }.thenOnMain { (image: Image) in view.show(image) }
///
/// Every caller gets a promise of its own, which follows the shared load. Cancelling it, or the last promise
/// that follows it, does not affect other callers; when all callers have been cancelled, the load is
/// cancelled, and the next one who asks begins a new load. Releasing the promise is no cancel: the load goes
/// on, and its value is kept. Failures are not kept: when callers are notified of one, a new request begins a
/// new load, also a request from an error handler.
///
/// Every method may be called from any thread. Keys are hashed, compared and released under the cache's lock,
/// and must not use the cache there. Releasing the cache releases what it keeps; those who wait for a load
/// still get its outcome. The idea of finding or fetching a promise, with an expiry, is FutureKit's.
public final class PromiseCache<Key: Hashable & Sendable>: Sendable {
  /// Those who wait for a load hold the table, and not the cache.
  let table: Guarded<CacheTable<Key>>
  let lifetime: Double
  let context: (any ExecutionContext)?

  /// An empty cache.
  ///
  /// - Parameters:
  ///   - lifetime: For how many seconds a value is kept after it has been loaded. Infinity: until it is
  ///     removed. Zero, a negative number and NaN: not at all, so that only those share a load who wait for
  ///     it at the same time.
  ///   - limit: How many values are kept; beyond that, the value that has not been asked for for the longest
  ///     time is removed. Loads do not count. `nil`: no limit; zero and less: none are kept.
  ///   - context: The default context of the promises. If it is a `TimerContext`, its clock measures the
  ///     lifetime, else the system's. `nil` for `Promise.defaultContext`.
  public init(lifetime: Double = .infinity, limit: Int? = nil, on context: (any ExecutionContext)? = nil) {
    table = Guarded(CacheTable(limit: limit.map { max(0, $0) } ?? .max))
    self.lifetime = lifetime
    self.context = context
  }

  /// An empty cache that keeps values for a `Duration`.
  public convenience init(
    lifetime: Duration, limit: Int? = nil, on context: (any ExecutionContext)? = nil
  ) {
    let (seconds, attoseconds) = lifetime.components
    self.init(lifetime: Double(seconds) + Double(attoseconds) * 1e-18, limit: limit, on: context)
  }

  /// The value for `key`, kept or being loaded. If there is neither, `load` is called at once, on this stack,
  /// with nothing locked. It returns what a handler may return: a promise or thenable is followed, an `Error`
  /// is a failure, as is what `load` throws, and anything else is the value.
  ///
  /// A load must not wait for its own key: it would wait for ever.
  ///
  /// - Returns: A promise of the caller's own, with the load's outcome.
  public func promise<T>(
    for key: Key, fileID: StaticString = #fileID, line: UInt = #line, _ load: () throws -> T
  ) -> Promise {
    promise(for: key, fileID, line) { try load() as Any }
  }

  /// The same with an asynchronous load, in a task that is cancelled when all callers have been cancelled.
  public func promise<T>(
    for key: Key, fileID: StaticString = #fileID, line: UInt = #line,
    _ load: @escaping @Sendable () async throws -> T
  ) -> Promise {
    promise(for: key, fileID, line) { Promise(load) }
  }

  /// Removes what is kept for `key`, or being loaded: the next one who asks begins a new load. A load that is
  /// running goes on for those who wait for it, and its value is not kept.
  public func remove(_ key: Key) { discard(table.with { $0.remove(key) }.map { [$0] } ?? []) }

  /// Removes everything, as ``remove(_:)`` does.
  public func removeAll() { discard(table.with { $0.removeAll() }) }

  /// How many values are kept or being loaded.
  public var count: Int { table.with { $0.count } }

  deinit { removeAll() }
}
