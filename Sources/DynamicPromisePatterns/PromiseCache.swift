// The face of the cache. `CacheTable.swift`: what is kept and who waits; `PromiseCache+Loading.swift`: how a
// load goes.

import DynamicPromise

/// A cache of promises: whoever asks for something that is being loaded waits for the same load, and what has
/// been loaded is kept for a while.
///
///     let images = PromiseCache<URL>(lifetime: 300, limit: 100)
///     images.promise(for: url) { fetchImage(url) }.thenOnMain { (image: Image) in view.show(image) }
///
/// Everybody gets a promise of his own that follows the shared load. Cancelling it, or the last of those who
/// follow it, disturbs nobody else; when all who asked have been cancelled, the load is cancelled, and
/// whoever asks next begins a new one. Letting go of the promise is not cancelling it: the load goes on and
/// is kept. Failures are not kept: those who wait hear of it, and by then the next one who asks begins anew,
/// from an error handler too.
///
/// Every method may be called from any thread. Keys are hashed, compared and released under the cache's lock,
/// and must not use it there. Dropping the cache drops what it keeps; those who wait for a load get it all
/// the same. The idea of finding or fetching a promise, with an expiry, is FutureKit's.
public final class PromiseCache<Key: Hashable & Sendable>: Sendable {
  /// Those who wait for a load keep this, and not the cache.
  let table: Guarded<CacheTable<Key>>
  let lifetime: Double
  let context: (any ExecutionContext)?

  /// An empty cache.
  ///
  /// - Parameters:
  ///   - lifetime: For how many seconds a value is kept after it has been loaded. Infinity: until it is
  ///     removed. Zero, a negative number and NaN: not at all, so that only those share a load who wait for
  ///     it together.
  ///   - limit: How many values are kept; of more than that the one goes that nobody has asked for for the
  ///     longest time. Loads do not count. `nil`: no limit; zero and less: none are kept.
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

  /// What is kept for `key`, or being loaded, or comes of `load`, which is called only if there is neither:
  /// at once, on this stack, with nothing locked. It returns what a handler may return: a promise or thenable
  /// is followed, anything else is the value, an `Error` a failure, as one that it throws.
  ///
  /// A load must not wait for its own key: it would wait for ever.
  ///
  /// - Returns: A promise of the caller's own. Its outcome is the load's.
  public func promise<T>(
    for key: Key, fileID: StaticString = #fileID, line: UInt = #line, _ load: () throws -> T
  ) -> Promise {
    promise(for: key, fileID, line) { try load() as Any }
  }

  /// The same with an asynchronous load, in a task that is cancelled when all who asked have been cancelled.
  public func promise<T>(
    for key: Key, fileID: StaticString = #fileID, line: UInt = #line,
    _ load: @escaping @Sendable () async throws -> T
  ) -> Promise {
    promise(for: key, fileID, line) { Promise(load) }
  }

  /// Forgets what is kept for `key`, or being loaded: whoever asks next begins a new load. One that is under
  /// way goes on for those who wait for it, and is not kept.
  public func remove(_ key: Key) { discard(table.with { $0.remove(key) }.map { [$0] } ?? []) }

  /// Forgets everything, as ``remove(_:)`` does.
  public func removeAll() { discard(table.with { $0.removeAll() }) }

  /// How many values are kept or being loaded.
  public var count: Int { table.with { $0.count } }

  deinit { removeAll() }
}
