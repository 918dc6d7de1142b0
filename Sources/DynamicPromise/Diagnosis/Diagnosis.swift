// Notifications for `DynamicPromiseDiagnostics`. Without a listener, each costs a load and a branch.

import Dispatch

/// Receives notifications of every promise while it is installed. Its methods are called on any thread,
/// sometimes with a tree locked. These methods may only record: they must not use or release promises.
package protocol PromiseListener: AnyObject, Sendable {
  /// `context` is the name of the handler's context, or of the default context if there is no handler.
  func made(_ promise: PromiseIdentity, parent: PromiseIdentity?, context: String)
  func placed(_ promise: PromiseIdentity, _ origin: Promise.Origin)
  func follows(_ promise: PromiseIdentity, _ other: PromiseIdentity)
  /// `thread` identifies the thread; it is never zero.
  func settled(_ promise: PromiseIdentity, _ how: PromiseEnd, thread: UInt)
  /// The promise is freed.
  func gone(_ promise: PromiseIdentity, isObserved: Bool)
  /// The promise's handler is about to be called (`began`), or has returned (`ended`).
  func began(_ promise: PromiseIdentity, thread: UInt)
  func ended(_ promise: PromiseIdentity, thread: UInt)
  /// The promise is a combinator's result, and waits for `inputs` in addition to earlier inputs; or it is the
  /// promise of a task, a timer, or unfinished work.
  func combines(_ promise: PromiseIdentity, _ inputs: [PromiseIdentity], _ kind: String)
  func named(_ promise: PromiseIdentity, _ label: String, _ origin: Promise.Origin)
}

/// Identifies a promise while it exists, also if its object is another one by now.
package struct PromiseIdentity: Hashable, Sendable {
  /// The address of the promise's state.
  package let number: UInt
}

/// How a promise has settled, with the reason.
package enum PromiseEnd: Sendable {
  case fulfilled, rejected(any Error), cancelled(any Error)

  fileprivate init?(_ core: Core) {
    switch core.phase {
    case .fulfilled: self = .fulfilled
    case .rejected: self = core.flags.contains(.cancelled) ? .cancelled(core.reason) : .rejected(core.reason)
    default: return nil
    }
  }
}

/// The listeners of the process.
package enum Diagnosis {
  private static let isOn = AtomicFlag(false)
  private static let listeners = Guarded<[any PromiseListener]>([])

  package static func add(_ listener: any PromiseListener) {
    listeners.with { listeners in
      listeners.append(listener)
      isOn.store(true, ordering: .releasing)
    }
  }

  /// Stops notifications, except for those in progress.
  package static func remove(_ listener: any PromiseListener) {
    listeners.with { listeners in
      listeners.removeAll { $0 === listener }
      isOn.store(!listeners.isEmpty, ordering: .releasing)
    }
  }

  @inline(__always)
  static var isListening: Bool { isOn.load(ordering: .acquiring) }

  /// Passes an event to the listeners. Not inlined, because callers check `isListening` before the call.
  @inline(never)
  package static func notify(_ event: (any PromiseListener) -> Void) {
    for listener in listeners.with({ $0 }) { event(listener) }
  }
}

// Called with the lock held, or before another thread knows the promise, unless said otherwise.
extension Core {
  @inline(__always)
  func noteCreated(below parent: Core?) {
    if Diagnosis.isListening { notifyMade(below: parent) }
  }

  @inline(never)
  private func notifyMade(below parent: Core?) {
    Diagnosis.notify { listener in
      listener.made(identity, parent: parent?.identity, context: ownContext.name)
      if kind.contains(.unfinished) { listener.combines(identity, [], "unfinished") }
      if let end = PromiseEnd(self) {
        listener.settled(identity, end, thread: CurrentThread.id)
      }
    }
  }

  /// Calls this child's handler, and notifies the listener before and after the call. Called with nothing
  /// locked.
  @inline(never)
  func notedResult(of run: consuming Run, _ turn: Turn) -> Resolution {
    Diagnosis.notify { $0.began(identity, thread: CurrentThread.id) }
    defer { Diagnosis.notify { $0.ended(identity, thread: CurrentThread.id) } }
    return run.result(turn)
  }

  @inline(__always)
  func noteFollowing(_ other: Core) {
    if Diagnosis.isListening { Diagnosis.notify { $0.follows(identity, other.identity) } }
  }

  /// Notifies the listener that this promise has settled. Called before other threads can see the settled
  /// state, so no thread finds a settled promise listed as pending.
  @inline(__always)
  func noteSettled() {
    if Diagnosis.isListening { notifySettled() }
  }

  @inline(never)
  private func notifySettled() {
    Diagnosis.notify { listener in
      if let end = PromiseEnd(self) { listener.settled(identity, end, thread: CurrentThread.id) }
    }
  }

  @inline(__always)
  func noteFreed() {
    if Diagnosis.isListening { Diagnosis.notify { $0.gone(identity, isObserved: flags.contains(.observed)) } }
  }
}

// Called with nothing locked.
extension Promise {
  /// Reports that this result of a combinator waits for more promises.
  func noteInputs(_ inputs: [Promise], _ kind: String) {
    guard Diagnosis.isListening else { return }
    Diagnosis.notify { $0.combines(identity, inputs.map(\.identity), kind) }
  }

  /// Reports that this promise of a task waits in a queue, until one of `others` is finished.
  package func noteQueueing(width: Int, behind others: () -> [Promise]) {
    if Diagnosis.isListening { noteInputs(others(), "queue of width \(width)") }
  }

  /// How this promise has settled; `nil` while it is pending.
  package var end: PromiseEnd? { core.lock.with { PromiseEnd(core) } }

  /// The name of the handler's context, or of the default context if there is no handler.
  package var contextName: String { core.lock.with { core.ownContext }.name }

  /// The promise that this promise follows.
  package var followed: Promise? {
    guard let link = core.lock.with({ core.phase == .following ? core.adoption : nil }) else { return nil }
    return link.targetPromise
  }

  /// The children that are pending or may have a pending descendant (`Core.readChildren`).
  package func readChildren() -> [Promise] {
    let turn = Turn.current
    var (found, places) = ([Promise](), core.readChildren(turn))
    while let child = places.popLast() {
      if core.lock.with({ child.phase == .gone }) {
        places += child.readChildren(turn)
      } else {
        found.append(child.heldPromise(turn))
      }
      core.lock.with { child.drop(turn) }
    }
    turn.drain()
    return found.reversed()
  }
}
