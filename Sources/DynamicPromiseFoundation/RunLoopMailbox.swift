import Foundation

/// The jobs for one run loop, first in, first out.
///
/// Each job has its own `perform` block, called a ticket. The loop has only one ticket at a time; the next
/// ticket is added before the job starts. With several tickets, newer jobs could overtake older jobs. A loop
/// removes all its blocks before it runs them. A handler that runs the loop again (`runLoopWait`) would not
/// run the removed blocks, but would run newer ones.
///
/// Who retains whom: loop -> ticket -> mailbox -> jobs, and mailbox -> loop weakly. When a thread ends, its
/// loop is freed with the unused ticket. The ticket then notifies the mailbox that its jobs will never run.
final class RunLoopMailbox: @unchecked Sendable {
  typealias Job = @Sendable () -> Void

  private weak var loop: RunLoop?
  private let address: ObjectIdentifier
  private let lock = NSLock()
  // Guarded by the lock. `leaving` is in reverse order; its jobs are older than those of `arriving`.
  private var arriving: [Job] = []
  private var leaving: [Job] = []
  private var hasTicket = false
  private var isClosed = false

  private init(_ loop: RunLoop) {
    self.loop = loop
    address = ObjectIdentifier(loop)
  }

  deinit { Self.remove(address) }

  /// Whether the loop is that of the calling thread.
  var isOfCallingThread: Bool { loop.map { $0 === RunLoop.current } ?? false }

  /// Enqueues a job; drops the job if the mailbox is closed or the loop was freed. Later jobs are dropped if
  /// this job is the last.
  func post(_ job: @escaping Job, isLast: Bool = false) {
    let needsTicket = lock.withLock {
      if isClosed { return false }
      isClosed = isLast
      arriving.append(job)
      defer { hasTicket = true }
      return !hasTicket
    }
    if needsTicket { sendTicket() }
  }

  private func sendTicket() {
    guard let loop else { return dropAll() }
    let ticket = Ticket(self)
    loop.perform(inModes: [.common]) { ticket.redeem() }
    loop.wake()
  }

  /// Runs the oldest job, on the loop's thread.
  fileprivate func runNext() {
    let (job, hasMore) = lock.withLock {
      if leaving.isEmpty {
        leaving = arriving.reversed()
        arriving = []
      }
      let job = leaving.popLast()
      hasTicket = !(leaving.isEmpty && arriving.isEmpty)
      return (job, hasTicket)
    }
    if hasMore { sendTicket() }
    job?()
    // Ends the outer run of the loop after the last job. During the job, `leave` might end an inner run that
    // the job started.
    if lock.withLock({ isClosed }) { loop?.leave() }
  }

  /// Called when the loop was freed. Releases the jobs without a lock.
  fileprivate func dropAll() {
    let dropped = lock.withLock {
      isClosed = true
      defer { (arriving, leaving) = ([], []) }
      return (arriving, leaving)
    }
    withExtendedLifetime(dropped) {}
  }
}

/// A block of the loop, for one job.
private final class Ticket: Sendable {
  private let mailbox: RunLoopMailbox
  private let isUsed = Locked(false)

  init(_ mailbox: RunLoopMailbox) { self.mailbox = mailbox }

  func redeem() {
    isUsed.with { $0 = true }
    mailbox.runNext()
  }

  deinit {
    if !isUsed.with({ $0 }) { mailbox.dropAll() }
  }
}

extension RunLoopMailbox {
  private struct Entry { weak var mailbox: RunLoopMailbox? }

  private static let registry = Locked<[ObjectIdentifier: Entry]>([:])

  /// The mailbox of a loop. All contexts of the loop share it, so that their jobs have one order.
  static func of(_ loop: RunLoop) -> RunLoopMailbox {
    // Released after the lock, because its `deinit` acquires the lock.
    var stale: RunLoopMailbox?
    defer { withExtendedLifetime(stale) {} }
    return registry.with { entries in
      let found = entries[ObjectIdentifier(loop)]?.mailbox
      if let found, found.loop === loop { return found }
      stale = found
      let made = RunLoopMailbox(loop)
      entries[ObjectIdentifier(loop)] = Entry(mailbox: made)
      return made
    }
  }

  /// Removes the entry of a freed mailbox, unless another loop with the same address has a mailbox already.
  private static func remove(_ address: ObjectIdentifier) {
    // Released after the lock, because its `deinit` acquires the lock.
    var other: RunLoopMailbox?
    defer { withExtendedLifetime(other) {} }
    registry.with { entries in
      other = entries[address]?.mailbox
      if other == nil { entries[address] = nil }
    }
  }
}
