// How jobs get to the private default context: through a list of our own, so that a thousand jobs need not be a thousand
// submissions, and with a worker always in reserve, so that none of them waits for another (X1).

/// Jobs for the private default context, first in, first out, and the workers that take them from there one by one.
///
/// As long as there are jobs there is a *spare*: a worker without a job, because the system's pool has still to start it, or
/// because it has just run out of them. A spare that takes a job while others remain submits the next spare first.
/// So a job that blocks holds up its own worker, and whatever is behind it goes to the spare.
final class Relay: @unchecked Sendable {
  /// There are jobs.
  private static let filled: UInt = 1 << 1
  /// There is a spare.
  private static let spared: UInt = 1 << 2
  /// How many jobs a worker runs before other users of the system's pool may have its thread.
  private static let turn = 256
  private static let firstCapacity = 64
  /// More room than this is given back when the jobs are done.
  private static let keptCapacity = 4096

  private let word = LockedWord(0)
  // A ring, guarded by the word. Its capacity is a power of two.
  @exclusivity(unchecked) private var ring = UnsafeMutablePointer<Unmanaged<Promise>>.allocate(
    capacity: firstCapacity)
  @exclusivity(unchecked) private var capacity = firstCapacity
  @exclusivity(unchecked) private var head = 0
  @exclusivity(unchecked) private var count = 0

  private init() {}

  /// Takes over the job of `child`, which is held.
  func add(_ child: Unmanaged<Promise>) {
    let bits = word.lock()
    append(child)
    word.unlock(Relay.filled | Relay.spared)
    if bits & Relay.spared == 0 { submitSpare() }
  }

  /// Takes over several, in their order.
  func add(_ children: ContiguousArray<Unmanaged<Promise>>) {
    let bits = word.lock()
    for child in children { append(child) }
    word.unlock(Relay.filled | Relay.spared)
    if bits & Relay.spared == 0 { submitSpare() }
  }

  private func submitSpare() { DefaultContext.hop.enqueue(self, on: DefaultContext.queue) }

  /// What a worker does. If jobs are left when its turn is over, so is a spare.
  func work() {
    var isSpare = true
    for _ in 0..<Relay.turn {
      guard let child = next(isSpare) else { return }
      isSpare = false
      Promise.work(child, continuesInPlace: true)
    }
  }

  /// The oldest job; `nil` ends the worker.
  private func next(_ wasSpare: Bool) -> Unmanaged<Promise>? {
    var isSpare = wasSpare
    var bits = word.lock()
    if count == 0 {
      if !isSpare && bits & Relay.spared != 0 {
        word.unlock(bits)
        return nil
      }
      isSpare = true
      word.unlock(Relay.spared)
      lookOut()
      bits = word.lock()
      if count == 0 {
        let roomy = shrink()
        word.unlock(0)
        roomy?.deallocate()
        return nil
      }
    }
    let child = ring[head]
    head = (head + 1) & (capacity - 1)
    count -= 1
    if count > 0 {
      word.unlock(Relay.filled | Relay.spared)
      if isSpare { submitSpare() }
    } else {
      word.unlock(isSpare ? 0 : bits & Relay.spared)
    }
    return child
  }

  /// To be woken costs more than to look again for as long as it takes to make a promise or two.
  private func lookOut() {
    for _ in 0..<Spinning.rounds where word.peek() & Relay.filled != 0 { return }
  }

  private func append(_ child: Unmanaged<Promise>) {
    if count == capacity { grow() }
    ring[(head + count) & (capacity - 1)] = child
    count += 1
  }

  private func grow() {
    let larger = UnsafeMutablePointer<Unmanaged<Promise>>.allocate(capacity: capacity * 2)
    let untilEnd = capacity - head
    larger.initialize(from: ring + head, count: untilEnd)
    (larger + untilEnd).initialize(from: ring, count: head)
    ring.deallocate()
    (ring, capacity, head) = (larger, capacity * 2, 0)
  }

  /// The memory that is not needed any more.
  private func shrink() -> UnsafeMutablePointer<Unmanaged<Promise>>? {
    guard capacity > Relay.keptCapacity else { return nil }
    let roomy = ring
    (ring, capacity, head) = (.allocate(capacity: Relay.firstCapacity), Relay.firstCapacity, 0)
    return roomy
  }
}

extension Relay {
  #if canImport(Darwin)
    /// One for each quality of service, so that nothing urgent waits for a spare that is not: a block inherits the quality of
    /// the stack that submits it, and so does a spare.
    private static let all = (0..<8).map { _ in Relay() }

    /// The relay for jobs that this stack hands over. The raw value of a class is 0x21 at most.
    static var mine: Relay { all[min(Int(Task<Never, Never>.currentPriority.rawValue) >> 2, 7)] }
  #else
    /// Dispatch has no quality of service to inherit here.
    static let mine = Relay()
  #endif
}
