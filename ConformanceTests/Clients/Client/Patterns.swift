import DynamicPromise
import DynamicPromisePatterns

/// Uses each pattern once.
func patterned() async throws -> String {
  let texts = [try await queued(), try await cached(), try await newest(), try await used()]
  return texts.joined(separator: " ")
}

nonisolated private func queued() async throws -> String {
  let queue = TaskQueue(width: 2, on: .shared)
  queue.pause()
  queue.add(priority: 1) { Promise.resolved(1) }
  queue.add(priority: -1) { await Task.yield() }
  queue.addBarrier { await Task.yield() }
  let last = queue.addBarrier { "queued" }
  queue.width += 1
  guard queue.isPaused, queue.waitingCount == 4, queue.runningCount == 0, queue.width == 3 else { return "" }
  queue.resume()
  let text = try await last.value(as: String.self)
  queue.cancelAll()
  queue.cancelAll("enough")
  return text
}

nonisolated private func cached() async throws -> String {
  let cache = PromiseCache<Int>(lifetime: 60, limit: 10, on: .shared)
  let other = PromiseCache<String>(lifetime: .seconds(60))
  _ = other.promise(for: "one") { 1 }
  other.remove("one")
  let made = cache.promise(for: 1) { Promise.resolved("cached") }
  let again = cache.promise(for: 1) { () async throws -> String in
    await Task.yield()
    return "not asked for"
  }
  guard try await made.value(as: String.self) == "cached", cache.count == 1, other.count == 0 else {
    return ""
  }
  cache.removeAll()
  return try await again.value(as: String.self)
}

nonisolated private func newest() async throws -> String {
  let latest = Latest(pause: 0.001, waitsForCleanUp: true, on: .shared)
  let other = Latest(pause: .milliseconds(1))
  latest.onRunning { isRunning in _ = isRunning }
  latest.onRunning(on: .shared) { _ in }
  other.onRunningOnMain { isRunning in _ = isRunning }
  other.run { 1 }
  other.cancel()
  other.cancel("enough")
  let old = latest.run { await Task.yield() }
  let text = try await latest.run { "newest" }.value(as: String.self)
  return old.isCancelled && !latest.isRunning ? text : ""
}

nonisolated private func used() async throws -> String {
  let one = Promise.resolved("us").closing { (text: String) in _ = text }
  let two = Promise.resolved(2).closing { (number: Int) async in _ = number }
  let first = Promise.using(one, two, on: .shared) { (text: String, number: Int) in text.count == number }
  let second = Promise.using(one) { (text: String) async in text }
  let third = Promise.using([one, two]) { values in values.count == 2 }
  guard try await first.value(as: Bool.self), try await third.value(as: Bool.self) else { return "" }
  return try await second.value(as: String.self) + "ed"
}
