// The values and loads of a cache. Guarded by the cache's lock; runs no user code.

import DynamicPromise

/// A cached or loading value. Its variables are guarded by the lock of the table.
final class CacheEntry: @unchecked Sendable {
  /// The promise that the callers' promises follow. Shielded, because the table counts the callers.
  let outcome: Promise
  /// The promise that the load resolves; `nil` after that promise has settled.
  fileprivate(set) var load: Promise?
  /// The number of callers whose promise was not cancelled.
  fileprivate var callers = 1
  /// Fires at the end of the value's lifetime.
  fileprivate(set) var timer: Promise?
  /// Whether the closure has been called, and the promise that it returned is not finished yet.
  fileprivate(set) var isWorking = false
  /// The number of the last request for this value, among all requests.
  fileprivate var lastUse = 0

  init(_ load: Promise, _ outcome: Promise) {
    self.load = load
    self.outcome = outcome
  }
}

/// The state of a ``PromiseCache``.
struct CacheTable<Key: Hashable> {
  private var entries: [Key: CacheEntry] = [:]
  /// Cancelled and failed loads that are not finished, and the loads that wait for them.
  private var unfinished: [Key: (former: [CacheEntry], waiting: [@Sendable () -> Void])] = [:]
  private let limit: Int
  /// The number of entries that are not loading.
  private var values = 0
  /// The requests for values, oldest first. Only the last request of each value counts.
  private var uses = UseList<Key>()

  init(limit: Int) { self.limit = limit }

  var count: Int { entries.count }

  func has(_ entry: CacheEntry, for key: Key) -> Bool { entries[key] === entry }

  /// The entry for `key`, if any. Counts one more caller.
  mutating func join(_ key: Key) -> CacheEntry? {
    guard let entry = entries[key] else { return nil }
    entry.callers += 1
    if entry.load == nil { use(entry, key) }
    return entry
  }

  /// Adds a new load. If another thread has already added a load, returns that load and counts one more
  /// caller.
  mutating func enter(_ entry: CacheEntry, for key: Key) -> CacheEntry {
    if let other = join(key) { return other }
    entries[key] = entry
    return entry
  }

  /// Whether a load may begin. If a former load of the key is unfinished, stores `start` until that load is
  /// finished.
  mutating func mayBegin(_ key: Key, otherwise start: @escaping @Sendable () -> Void) -> Bool {
    guard unfinished[key] != nil else { return true }
    unfinished[key]?.waiting.append(start)
    return false
  }

  /// Marks a load as working if it still has callers. Returns whether its closure may be called.
  func begin(_ entry: CacheEntry) -> Bool {
    entry.isWorking = entry.callers > 0
    return entry.isWorking
  }

  /// Records that a load is finished. Returns the loads that have waited for it.
  mutating func finished(_ entry: CacheEntry, _ key: Key) -> [@Sendable () -> Void] {
    entry.isWorking = false
    unfinished[key]?.former.removeAll { $0 === entry }
    guard let left = unfinished[key], left.former.isEmpty else { return [] }
    unfinished[key] = nil
    return left.waiting
  }

  /// Removes the unfinished loads of the key. Returns the loads that have waited for them.
  mutating func forgetUnfinished(_ key: Key) -> [@Sendable () -> Void] {
    unfinished.removeValue(forKey: key)?.waiting ?? []
  }

  mutating func forgetAllUnfinished() -> [@Sendable () -> Void] {
    defer { unfinished = [:] }
    return unfinished.values.flatMap(\.waiting)
  }

  private mutating func leaveUnfinished(_ entry: CacheEntry, _ key: Key) {
    guard entry.isWorking else { return }
    unfinished[key, default: ([], [])].former.append(entry)
  }

  /// Records that a caller's promise was cancelled. If no caller is left, removes the load, so that no new
  /// caller can join it. Returns that load, which must be cancelled.
  mutating func leave(_ entry: CacheEntry, _ key: Key) -> Promise? {
    entry.callers -= 1
    guard entry.callers == 0, let load = entry.load else { return nil }
    if has(entry, for: key) {
      entries[key] = nil
      leaveUnfinished(entry, key)
    }
    return load
  }

  /// Records that a load has settled. Stores the value if `keeps` is true.
  ///
  /// - Returns: Whether the value is stored, and the entries that were removed to make room for it.
  mutating func settled(_ entry: CacheEntry, _ key: Key, keeps: Bool) -> (isKept: Bool, former: [CacheEntry])
  {
    entry.load = nil
    guard has(entry, for: key) else { return (false, []) }
    if !keeps { leaveUnfinished(entry, key) }
    guard keeps, limit > 0 else {
      entries[key] = nil
      return (false, [])
    }
    values += 1
    use(entry, key)
    var former: [CacheEntry] = []
    while values > limit, let oldest = uses.removeFirst(where: { entries[$0]?.lastUse == $1 }) {
      if let entry = remove(oldest) { former.append(entry) }
    }
    return (true, former)
  }

  /// Sets the timer of a cached value. Returns `false` if the value is no longer cached.
  mutating func set(_ timer: Promise, for entry: CacheEntry, _ key: Key) -> Bool {
    guard has(entry, for: key) else { return false }
    entry.timer = timer
    return true
  }

  private mutating func use(_ entry: CacheEntry, _ key: Key) {
    guard limit < .max else { return }
    entry.lastUse = uses.append(key)
    if uses.count > 2 * values + 16 { uses.compact { entries[$0]?.lastUse == $1 } }
  }

  mutating func remove(_ key: Key) -> CacheEntry? {
    guard let entry = entries.removeValue(forKey: key) else { return nil }
    if entry.load == nil { values -= 1 }
    return entry
  }

  mutating func removeAll() -> [CacheEntry] {
    defer { (entries, values, uses) = ([:], 0, UseList()) }
    return Array(entries.values)
  }
}

/// The order of requests. A value that is requested again leaves its older entry in the list, until
/// `removeFirst` reaches it or `compact` removes it.
struct UseList<Key> {
  private var uses: [(key: Key, number: Int)] = []
  private var start = 0
  private var last = 0

  /// The length of the list, including outdated and removed entries.
  var count: Int { uses.count }

  /// - Returns: The number of this request. Numbers start at 1.
  mutating func append(_ key: Key) -> Int {
    last += 1
    uses.append((key, last))
    return last
  }

  /// Removes the oldest entry for which `counts` returns `true`, and all entries before it.
  mutating func removeFirst(where counts: (Key, Int) -> Bool) -> Key? {
    while start < uses.count {
      let use = uses[start]
      start += 1
      if counts(use.key, use.number) { return use.key }
    }
    return nil
  }

  mutating func compact(_ counts: (Key, Int) -> Bool) {
    uses = uses[start...].filter { counts($0.key, $0.number) }
    start = 0
  }
}
