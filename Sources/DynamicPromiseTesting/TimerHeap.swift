/// Timers in the order of their times. Timers of the same time keep the order in which they were set.
///
/// A binary heap: setting a timer and removing the first one take logarithmic time. A cancelled timer leaves
/// an entry without a job. Such an entry is removed when it is the first entry, or when entries without jobs
/// outnumber the others.
struct TimerHeap {
  private struct Entry {
    let due: Double
    let number: Int

    func isBefore(_ other: Entry) -> Bool { (due, number) < (other.due, other.number) }
  }

  /// The first entry, if any, has a job.
  private var entries: [Entry] = []
  private var jobs: [Int: TestContext.Job] = [:]
  private var timersMade = 0
  /// Counts compared and moved entries, so that tests can assert the cost.
  private(set) var work = 0

  var count: Int { jobs.count }

  /// The time of the first timer.
  var firstDue: Double? { entries.first?.due }

  /// - Returns: The timer's number, for ``remove(_:)``.
  mutating func insert(due: Double, _ job: @escaping TestContext.Job) -> Int {
    timersMade += 1
    jobs[timersMade] = job
    entries.append(Entry(due: due, number: timersMade))
    siftUp(entries.count - 1)
    return timersMade
  }

  /// Removes a timer, if it is set.
  mutating func remove(_ number: Int) -> TestContext.Job? {
    guard let job = jobs.removeValue(forKey: number) else { return nil }
    if entries.count > 2 * jobs.count { removeCancelled() }
    removeCancelledFirst()
    return job
  }

  /// Removes the first timer.
  mutating func popFirst() -> TestContext.Job? {
    guard let number = entries.first?.number else { return nil }
    removeFirstEntry()
    removeCancelledFirst()
    return jobs.removeValue(forKey: number)
  }

  /// Removes all timers, and returns their jobs in order.
  mutating func removeAll() -> [TestContext.Job] {
    let all = entries.sorted { $0.isBefore($1) }.compactMap { jobs[$0.number] }
    entries = []
    jobs = [:]
    return all
  }

  private mutating func removeCancelledFirst() {
    while let first = entries.first, jobs[first.number] == nil { removeFirstEntry() }
  }

  /// Removes the entries without jobs. A sorted array is a heap.
  private mutating func removeCancelled() {
    work += entries.count
    entries.removeAll { jobs[$0.number] == nil }
    entries.sort { $0.isBefore($1) }
  }

  private mutating func removeFirstEntry() {
    entries.swapAt(0, entries.count - 1)
    entries.removeLast()
    siftDown(0)
  }

  private mutating func siftUp(_ start: Int) {
    var index = start
    while index > 0 {
      work += 1
      let above = (index - 1) / 2
      guard entries[index].isBefore(entries[above]) else { return }
      entries.swapAt(index, above)
      index = above
    }
  }

  private mutating func siftDown(_ start: Int) {
    var index = start
    while true {
      work += 1
      var first = index
      for below in [2 * index + 1, 2 * index + 2] where below < entries.count {
        if entries[below].isBefore(entries[first]) { first = below }
      }
      if first == index { return }
      entries.swapAt(index, first)
      index = first
    }
  }
}
