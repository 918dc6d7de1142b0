// Loading a value.
//
// OWNERSHIP. load ─▶ its `finally` handler ─▶ outcome, a shielded promise that the callers' promises
// follow.
//
// The table counts the callers, and a caller's cancel hook decreases the count. If callers were only
// consumers of the load, a new caller could join while the last caller withdraws. The new caller's promise
// would then be cancelled too.

import DynamicPromise

extension PromiseCache {
  func promise(
    for key: Key, _ fileID: StaticString, _ line: UInt, _ load: @escaping @Sendable () throws -> Any
  ) -> Promise {
    let (promise, resolver) = Promise.pending(on: context, fileID: fileID, line: line)
    // However the callers leave, the last one cancels the load.
    promise.cancelsWhenUnwanted()
    if let known = table.with({ $0.join(key) }) {
      follow(known, key, resolver)
      return promise
    }
    let made = entry(for: key)
    let entry = table.with { $0.enter(made, for: key) }
    follow(entry, key, resolver)
    guard let shared = table.with({ _ in made.load }) else { return promise }
    if entry !== made {
      shared.cancel()  // Another call has already entered a load, and no caller has seen this promise.
    } else {
      let start: @Sendable () -> Void = { [table] in Self.start(load, shared, made, key, table) }
      let later: @Sendable () -> Void = { [context] in
        // The task's promise is rejected if the context drops the job.
        Promise.task(on: context, start).catchOn(.immediate) { shared.reject($0) }
      }
      if table.with({ $0.mayBegin(key, otherwise: later) }) { start() }
    }
    return promise
  }

  /// Calls the closure. Waiting loads start when the promise that the closure returned is finished. `end` is
  /// registered before the outcome is passed on. Otherwise, a caller's retry after a failure would wait for
  /// the failed load.
  private static func start(
    _ load: () throws -> Any, _ shared: Promise, _ entry: CacheEntry, _ key: Key,
    _ table: Guarded<CacheTable<Key>>
  ) {
    guard shared.isPending, table.with({ $0.begin(entry) }) else { return }
    let end: @Sendable () -> Void = { table.with { $0.finished(entry, key) }.forEach { $0() } }
    do {
      let value = try CurrentLoads.$entries.withValue(CurrentLoads.entries + [entry]) { try load() }
      // A thenable's work counts as finished when the promise that follows the thenable is finished.
      let loaded = value as? Promise ?? Promise.resolved(value, on: .immediate)
      loaded.whenFinished(end)
      if loaded.needs(shared) { shared.reject(PromiseError.cycle) }
      shared.resolve(loaded)
      // Another thread may have closed a ring of loads meanwhile.
      if shared.isPending, loaded.needs(shared) { shared.cancel(PromiseError.cycle) }
    } catch {
      end()
      shared.reject(error)
    }
  }

  /// Makes the caller's promise follow the load. The table has already counted the caller.
  private func follow(_ entry: CacheEntry, _ key: Key, _ resolver: Resolver) {
    if CurrentLoads.entries.contains(where: { $0 === entry }), table.with({ _ in entry.load != nil }) {
      resolver.reject(PromiseError.cycle)
      table.with { $0.leave(entry, key) }?.cancel()
      return
    }
    resolver.onCancel { [table] reason in table.with { $0.leave(entry, key) }?.cancel(reason) }
    resolver.resolve(entry.outcome)
  }

  /// A load that has not started.
  private func entry(for key: Key) -> CacheEntry {
    let load = Promise(on: context)
    let made = Guarded<CacheEntry?>(nil)
    // Callers follow the result of this step, so that a failure is removed before they are notified.
    let noted = load.finallyOn(.immediate) { [weak self, weak table] in
      guard let entry = made.with({ $0.take() }), let table else { return }
      let isFulfilled = load.isFulfilled
      guard let self else {
        _ = table.with { $0.settled(entry, key, keeps: false) }
        return
      }
      self.settled(entry, key, isFulfilled)
    }
    let entry = CacheEntry(load, noted.shielded().ignoreErrors())
    made.with { $0 = entry }
    return entry
  }

  private func settled(_ entry: CacheEntry, _ key: Key, _ isFulfilled: Bool) {
    let keeps = isFulfilled && lifetime > 0
    let (isKept, former) = table.with { $0.settled(entry, key, keeps: keeps) }
    discard(former)
    guard isKept, lifetime < .infinity else { return }
    let timer = Promise.delay(lifetime, on: context)
    guard table.with({ $0.set(timer, for: entry, key) }) else { return }
    timer.thenOn(.immediate) { [weak table] _ in
      let expired = table?.with { $0.has(entry, for: key) ? $0.remove(key) : nil }
      withExtendedLifetime(expired) {}
    }.ignoreErrors()
  }

  /// Cancels the timers of entries that were removed from the table.
  func discard(_ entries: [CacheEntry]) {
    for entry in entries { table.with { _ in entry.timer }?.cancel() }
  }
}

/// The loads that the caller is in: those whose closure, or Swift task, makes a call.
private enum CurrentLoads {
  @TaskLocal static var entries: [CacheEntry] = []
}
