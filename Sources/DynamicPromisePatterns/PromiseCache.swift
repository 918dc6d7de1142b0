// The public interface of the cache. `CacheTable.swift` contains the values and loads,
// `PromiseCache+Loading.swift` loads values.

import DynamicPromise

/// A cache of promises. Callers that request a value during its load share the load, and the loaded value is
/// cached for a while.
///
///     let images = PromiseCache<URL>(lifetime: 300, limit: 100)
///     images.promise(for: url) { fetchImage(url) }.thenOnMain { (image: Image) in view.show(image) }
///
/// Every caller gets a separate promise, which follows the shared load, and is cancelled when its last
/// consumer leaves (`cancelsWhenUnwanted()`). When the promises of all callers have been cancelled, the load
/// is cancelled. Releasing a promise is not a cancel: the load continues, and its value is cached.
///
/// Failures are not cached: the next request starts a new load, which waits until a cancelled or failed load
/// of the key is finished.
///
/// Every method may be called from any thread. The code that hashes, compares or releases a key must not use
/// the cache, because this code runs under the cache's lock. Callers of a running load receive its outcome
/// even if the cache is released. (The idea is from FutureKit.)
public final class PromiseCache<Key: Hashable & Sendable>: Sendable {
  /// Callers of a load retain the table, not the cache.
  let table: Guarded<CacheTable<Key>>
  let lifetime: Double
  let context: (any ExecutionContext)?

  /// An empty cache.
  ///
  /// - Parameters:
  ///   - lifetime: The number of seconds that a value is cached after its load. With infinity, the value is
  ///     cached until it is removed. With zero, a negative number or NaN, no value is cached, and
  ///     simultaneous callers share the load.
  ///   - limit: The maximal number of cached values. Above this number, the least recently requested value is
  ///     removed. Running loads do not count. `nil` means no limit; with zero or less, no value is cached.
  ///   - context: The default context of the promises. If the context is a `TimerContext`, its clock measures
  ///     the lifetime; otherwise the system's clock does. `nil` for `Promise.defaultContext`.
  public init(lifetime: Double = .infinity, limit: Int? = nil, on context: (any ExecutionContext)? = nil) {
    table = Guarded(CacheTable(limit: limit.map { max(0, $0) } ?? .max))
    self.lifetime = lifetime
    self.context = context
  }

  /// Returns a promise for the value of `key`. If the value is neither cached nor loading, calls `load` at
  /// once, on this stack, without a lock.
  ///
  /// If a cancelled or failed load of the key is not finished yet (`Promise.finished(on:)`), `load` is called
  /// on the context when that load is finished, unless the promises of all callers have been cancelled by
  /// then. The result of `load` is treated like a handler's.
  ///
  /// A load that needs its own key, directly or through other loads, is rejected with `PromiseError.cycle`.
  ///
  /// - Returns: A new promise for this caller, with the load's outcome.
  public func promise<T>(
    for key: Key, fileID: StaticString = #fileID, line: UInt = #line,
    _ load: @escaping @Sendable () throws -> T
  ) -> Promise {
    promise(for: key, fileID, line) { try load() as Any }
  }

  /// Returns a promise for the value of `key`, like the method with a synchronous `load`. The Swift task of
  /// `load` is cancelled when the promises of all callers have been cancelled.
  public func promise<T>(
    for key: Key, fileID: StaticString = #fileID, line: UInt = #line,
    _ load: @escaping @Sendable () async throws -> T
  ) -> Promise {
    promise(for: key, fileID, line) { Promise(load) }
  }

  /// Removes the value or load for `key`: the next caller starts a new load. A running load continues for its
  /// callers, and its value is not cached. Loads that wait for a former load of the key start at once.
  public func remove(_ key: Key) {
    discard(table.with { $0.remove(key) }.map { [$0] } ?? [])
    table.with { $0.forgetUnfinished(key) }.forEach { $0() }
  }

  /// Removes all values and loads, like ``remove(_:)``.
  public func removeAll() {
    let (entries, waiting) = table.with { ($0.removeAll(), $0.forgetAllUnfinished()) }
    discard(entries)
    waiting.forEach { $0() }
  }

  /// The number of cached and loading values.
  public var count: Int { table.with { $0.count } }

  deinit { removeAll() }
}
