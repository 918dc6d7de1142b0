// What is kept and who waits for it. Changes fields, and calls nobody: guarded by the cache's lock.

import DynamicPromise

/// A value that is kept, or is being loaded. What changes is guarded by the lock of the table.
final class CacheEntry: @unchecked Sendable {
  /// What the callers follow. Shielded: they are counted here.
  let outcome: Promise
  /// What the load resolves; none when it has settled.
  fileprivate(set) var load: Promise?
  /// How many have asked, and not been cancelled.
  fileprivate var callers = 1
  /// Fires when it has been kept for long enough.
  fileprivate(set) var timer: Promise?
  /// When it was asked for, among all requests.
  fileprivate var lastUse = 0

  init(_ load: Promise, _ outcome: Promise) {
    self.load = load
    self.outcome = outcome
  }
}

/// The state of a ``PromiseCache``.
struct CacheTable<Key: Hashable> {
  private var entries: [Key: CacheEntry] = [:]
  private let limit: Int
  /// How many of them are values.
  private var values = 0
  /// Requests for values, oldest first; the last one for each counts.
  private var uses = UseList<Key>()

  init(limit: Int) { self.limit = limit }

  var count: Int { entries.count }

  func has(_ entry: CacheEntry, for key: Key) -> Bool { entries[key] === entry }

  /// The entry for `key`, with one caller more.
  mutating func join(_ key: Key) -> CacheEntry? {
    guard let entry = entries[key] else { return nil }
    entry.callers += 1
    if entry.load == nil { use(entry, key) }
    return entry
  }

  /// Enters a load that begins, unless somebody else was quicker: then that one, with one caller more.
  mutating func enter(_ entry: CacheEntry, for key: Key) -> CacheEntry {
    if let other = join(key) { return other }
    entries[key] = entry
    return entry
  }

  /// A caller was cancelled. If it was the last one, the load to be cancelled, which nobody can join any
  /// more.
  mutating func leave(_ entry: CacheEntry, _ key: Key) -> Promise? {
    entry.callers -= 1
    guard entry.callers == 0, let load = entry.load else { return nil }
    if has(entry, for: key) { entries[key] = nil }
    return load
  }

  /// A load has settled. Keeps the value, if it is one to be kept.
  ///
  /// - Returns: Whether it is kept, and what has to go for it.
  mutating func settled(_ entry: CacheEntry, _ key: Key, keeps: Bool) -> (isKept: Bool, former: [CacheEntry])
  {
    entry.load = nil
    guard has(entry, for: key) else { return (false, []) }
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

  /// The timer of a value that is kept; false if it is not any more.
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

/// Who was asked for when. Those that were asked for again stay in it until they are come across or there are
/// too many.
struct UseList<Key> {
  private var uses: [(key: Key, number: Int)] = []
  private var start = 0
  private var last = 0

  /// Those that have been taken out count, too, until `compact`.
  var count: Int { uses.count }

  /// - Returns: The number of this use; they rise, and begin with 1.
  mutating func append(_ key: Key) -> Int {
    last += 1
    uses.append((key, last))
    return last
  }

  /// Takes out the oldest that still counts, and all before it.
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
