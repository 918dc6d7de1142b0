import Foundation
import Synchronization

/// The jobs for one run loop, first in, first out.
///
/// Not just a `perform` for each job: a loop takes all its blocks at once, so that one which runs the loop
/// again (a handler with a `runLoopWait`) would not see those behind it, and newer ones would overtake them.
/// Here one ticket at a time is in the loop, and it is replaced before its job starts.
///
/// Who holds whom: loop -> ticket -> mailbox -> jobs, and mailbox -> loop weakly. A thread that ends frees
/// its loop and the ticket with it, unused, which is how the mailbox learns that nobody will run its jobs.
final class RunLoopMailbox: @unchecked Sendable {
  typealias Job = @Sendable () -> Void

  private weak var loop: RunLoop?
  private let address: ObjectIdentifier
  private let lock = NSLock()
  // Guarded by the lock. `leaving` is in reverse, and older than `arriving`.
  private var arriving: [Job] = []
  private var leaving: [Job] = []
  private var hasTicket = false
  private var isClosed = false

  private init(_ loop: RunLoop) {
    self.loop = loop
    address = ObjectIdentifier(loop)
  }

  deinit { Self.registry.remove(address) }

  /// Whether the loop is the calling thread's.
  var isOfCallingThread: Bool { loop.map { $0 === RunLoop.current } ?? false }

  /// Takes a job over; drops it if nobody can run it any more.
  func post(_ job: @escaping Job) { append(job, isLast: false) }

  /// The same, and whatever is posted later is dropped.
  func post(last job: @escaping Job) { append(job, isLast: true) }

  private func append(_ job: @escaping Job, isLast: Bool) {
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
    // Whoever runs the loop for a mailbox that takes no more wants to look whether that was the last job.
    // After it, because a job that runs the loop itself has a run of its own, and it is the one around the
    // job that is to end.
    if lock.withLock({ isClosed }) { loop?.leave() }
  }

  /// The loop is gone. Jobs are released with nothing locked.
  fileprivate func dropAll() {
    let dropped = lock.withLock {
      isClosed = true
      defer { (arriving, leaving) = ([], []) }
      return (arriving, leaving)
    }
    withExtendedLifetime(dropped) {}
  }
}

/// What the loop is given: good for one job.
private final class Ticket: Sendable {
  private let mailbox: RunLoopMailbox
  private let isUsed = Atomic(false)

  init(_ mailbox: RunLoopMailbox) { self.mailbox = mailbox }

  func redeem() {
    isUsed.store(true, ordering: .releasing)
    mailbox.runNext()
  }

  deinit {
    if !isUsed.load(ordering: .acquiring) { mailbox.dropAll() }
  }
}

extension RunLoopMailbox {
  /// The mailbox of a loop: the same for all contexts that name the loop, so that their jobs have one order.
  static func of(_ loop: RunLoop) -> RunLoopMailbox { registry.mailbox(of: loop) }

  private static let registry = Registry()

  private final class Registry: @unchecked Sendable {
    private struct Entry { weak var mailbox: RunLoopMailbox? }

    private let lock = NSLock()
    private var entries: [ObjectIdentifier: Entry] = [:]

    func mailbox(of loop: RunLoop) -> RunLoopMailbox {
      // Outside, because its end may run a deinit, which takes the lock.
      var stale: RunLoopMailbox?
      defer { withExtendedLifetime(stale) {} }
      return lock.withLock {
        let found = entries[ObjectIdentifier(loop)]?.mailbox
        if let found, found.loop === loop { return found }
        stale = found
        let made = RunLoopMailbox(loop)
        entries[ObjectIdentifier(loop)] = Entry(mailbox: made)
        return made
      }
    }

    /// Forgets a mailbox that has gone, unless another loop with the same address has one already.
    func remove(_ address: ObjectIdentifier) {
      lock.withLock {
        if entries[address]?.mailbox == nil { entries[address] = nil }
      }
    }
  }
}
