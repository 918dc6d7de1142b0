import Dispatch
import DynamicPromise

actor Ledger {
  private var entries: [String] = []
  private var last: Report?

  func record(_ entry: Promise) -> Promise {
    entry
      .thenOn(self) { ledger, value in ledger.entries.append("\(value)") }
      .thenOn(self) { ledger, _ in
        await Task.yield()
        return ledger.entries.count
      }
      .thenOn(self) { (ledger, count: Int) in count + ledger.entries.count }
      .thenOn(self) { _, count in count }
      .catchOn(self) { (ledger, _: Refused) in ledger.entries.removeAll() }
      .catchOn(self) { ledger, _ in ledger.entries.count }
      .thenOn(.actor(self), { $0 }, { _ in 0 })
  }

  func settle(_ entry: Promise) -> Promise {
    entry
      .thenOn(self) { ledger, _ in ledger.entries.count }
      .catchOn(self) { ledger, _ in
        await Task.yield()
        return ledger.entries.count
      }
      .catchOn(.actor(self)) { error in throw error }
      .finallyOn(self) { $0.last = nil }
      .finallyOn(self) { ledger in
        await Task.yield()
        ledger.last = nil
      }
      .finallyOn(.actor(self)) {}
  }

  func keep(_ report: Promise) async throws -> Int {
    last = try await report.value as? Report
    last = try await report.value(as: Report.self)
    last = try await report.cancellingValue(as: Report.self)
    last = try await report.cancellingValue as? Report
    return last?.lines.count ?? 0
  }
}

final class Worker: SerialExecutor {
  private let queue = DispatchQueue(label: "client.worker")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

final class Pool: TaskExecutor {
  private let queue = DispatchQueue(label: "client.pool", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

@MainActor
func awaited() async throws {
  let ledger = Ledger()
  _ = try await ledger.record(Promise.resolved("entry")).value
  _ = try await ledger.settle(Promise.resolved("entry")).cancellingValue
  _ = try await ledger.settle(Promise.resolved("entry")).cancellingValue(as: Int.self)
  _ = try await ledger.keep(Promise.task { Report() })
  let placed = Promise.resolved(1)
    .thenOn(.actor(ledger)) { $0 }
    .thenOn(.executor(Worker())) { $0 }
    .thenOn(.executor(Pool())) { $0 }
    .thenOn(.actor(ledger)) { $0 }
    .thenOn(.executor(Worker())) { $0 }
    .catchOn(.executor(Worker())) { (error: Refused) async throws in throw error }
    .finallyOn(.executor(Pool())) { await Task.yield() }
    .finallyOnMain { await Task.yield() }
  _ = try await placed.value
  let report = try await Promise.task { Report() }.value as? Report
  report?.lines.append("on main")
  for await _ in Promise.results(of: [placed, "plain", Promise { try await placed.value(as: Int.self) }]) {}
  var iterator = Promise.results(of: [1]).makeAsyncIterator()
  while await iterator.next(isolation: #isolation) != nil {}
}
