// `.current`: how a handler finds out where it runs.
//
// No step of a chain pays for it. A dispatch queue is marked once, when a promise first hears of it, and Dispatch
// itself knows on which queue a thread works. Contexts of other types get their jobs in a wrapper anyhow, which notes in a word
// of its thread whose job it runs. So do global queues, whose marks would speak for all queues, and the main one, on
// which the main thread counts as being even outside of every block.

import Dispatch

/// The context that runs the handler in which `.current` is written; outside of handlers the default of the promise
/// concerned.
///
/// It is captured where it is written, so a handler may keep it and name it later. Blocks of a dispatch queue that promises
/// use count as handlers on that queue, except the main queue's. An asynchronous handler runs in a task of its own and belongs to no context.
public struct CurrentContext: ExecutionContext {
  let running: HeldContext?

  /// The context that runs the caller.
  public init() { running = HeldContext.running }

  /// Hands `job` to the captured context, or to the private concurrent default.
  public func execute(_ job: @escaping @Sendable () -> Void) {
    (running?.reference ?? .shared).execute(job)
  }
}

extension ExecutionContext where Self == CurrentContext {
  /// The context that runs the current handler; outside of handlers the default of the promise concerned.
  public static var current: CurrentContext { CurrentContext() }
}

extension HeldContext {
  /// The context whose job runs on this stack.
  static var running: HeldContext? {
    if let box = Running.box { return HeldContext(ContextRef(box: box.retain())) }
    guard let mark = DispatchQueue.getSpecific(key: QueueMark.key), mark !== QueueMark.ofMain else {
      return nil
    }
    if mark === QueueMark.ofDefault { return HeldContext(.shared) }
    return mark.queue.map { HeldContext(ContextRef(queue: .passRetained(QueueRef($0)))) }
  }
}

extension ContextRef {
  /// A dispatch queue as a context, marked so that `.current` finds it.
  static func ofQueue(_ queue: DispatchQueue) -> ContextRef {
    _ = QueueMark.main
    if let mark = queue.getSpecific(key: QueueMark.key) {
      if mark === QueueMark.ofMain { return .mainQueue }
      return ContextRef(queue: .passRetained(QueueRef(queue)))
    }
    if QueueMark.isGlobal(queue) { return ContextRef(box: .passRetained(Box(queue))) }
    QueueMark(queue).enter(queue)
    return ContextRef(queue: .passRetained(QueueRef(queue)))
  }
}

/// Which context of somebody else's making runs a job on this thread: a word of the thread, because a task-local value costs
/// an allocation for each job, and is inherited by the tasks that handlers start.
enum Running {
  private static let word = ThreadWord()

  /// Whose job runs; held by that job.
  static var box: Unmanaged<ContextRef.Box>? { word.value.map { .fromOpaque($0) } }

  /// Runs part of a job of the context in `box`, which the caller holds. Jobs may be nested: whoever drains a context
  /// by hand is in its jobs meanwhile, and afterwards where he was.
  static func run(in box: Unmanaged<ContextRef.Box>, _ body: () -> Void) {
    let outer = word.value
    word.value = UnsafeRawPointer(box.toOpaque())
    body()
    word.value = outer
  }
}

/// What a queue knows about itself. A mark is never replaced, because a thread that works on the queue may be reading it.
/// Two are told by their identity, so that no field is read that only Dispatch's own lock has published.
final class QueueMark: @unchecked Sendable {
  static let key = DispatchSpecificKey<QueueMark>()
  static let ofMain = QueueMark(mainQueue)
  static let ofDefault = QueueMark(nil)
  private static let word = LockedWord(0)

  /// On Linux a `DispatchQueue` is a wrapper, and every `DispatchQueue.main` a new one: this one stays, so that its mark keeps
  /// pointing at something.
  private static let mainQueue = DispatchQueue.main

  /// The main queue, marked.
  static let main: DispatchQueue = {
    ofMain.enter(mainQueue)
    return mainQueue
  }()

  /// Leads to this mark on this queue and on those that target it, whose own marks hide it from the common key.
  let ownKey = DispatchSpecificKey<QueueMark>()

  /// Weakly, because the queue keeps its mark. Whoever runs a handler there holds it.
  private(set) weak var queue: DispatchQueue?

  init(_ queue: DispatchQueue?) { self.queue = queue }

  /// Marks `queue`, unless somebody else has.
  func enter(_ queue: DispatchQueue) {
    let bits = Self.word.lock()
    if queue.getSpecific(key: Self.key) == nil {
      queue.setSpecific(key: ownKey, value: self)
      queue.setSpecific(key: Self.key, value: self)
    }
    Self.word.unlock(bits)
  }

  /// Every queue ends in a global one, so a mark there would speak for all of them.
  static func isGlobal(_ queue: DispatchQueue) -> Bool { queue.label.hasPrefix("com.apple.root.") }
}
