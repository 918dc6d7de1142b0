// Notifications for `DynamicPromiseDiagnostics`. Without a listener, each costs a load and a branch.

import Dispatch
import Synchronization

/// Receives notifications of every promise while it is installed. Its methods are called on any thread,
/// sometimes with a tree locked. These methods may only record: they must not use or release promises.
package protocol PromiseListener: AnyObject, Sendable {
  /// `context` is the name of the handler's context, or of the default context if there is no handler.
  func made(_ promise: ObjectIdentifier, parent: ObjectIdentifier?, context: String)
  func placed(_ promise: ObjectIdentifier, _ origin: Promise.Origin)
  func follows(_ promise: ObjectIdentifier, _ other: ObjectIdentifier)
  /// `thread` identifies the thread; it is never zero.
  func settled(_ promise: ObjectIdentifier, _ how: PromiseEnd, thread: UInt)
  /// The promise is deallocated. `isUnhandled`: its rejection was not observed, and is not a cancellation.
  func gone(_ promise: ObjectIdentifier, isUnhandled: Bool)
  /// The promise's handler is about to be called (`began`), or has returned (`ended`).
  func began(_ promise: ObjectIdentifier, thread: UInt)
  func ended(_ promise: ObjectIdentifier, thread: UInt)
  /// The promise is a combinator's result, and waits for `inputs` in addition to earlier inputs; or it is the
  /// promise of a task, a timer, or unfinished work.
  func combines(_ promise: ObjectIdentifier, _ inputs: [ObjectIdentifier], _ kind: String)
  func named(_ promise: ObjectIdentifier, _ label: String, _ origin: Promise.Origin)
}

/// How a promise has settled, with the reason.
package enum PromiseEnd: Sendable {
  case fulfilled, rejected(any Error), cancelled(any Error)

  fileprivate init?(_ promise: Promise) {
    switch promise.state {
    case .fulfilled: self = .fulfilled
    case .rejected(let reason):
      self = promise.flags.contains(.cancelled) ? .cancelled(reason) : .rejected(reason)
    default: return nil
    }
  }
}

/// The listeners of the process.
package enum Diagnosis {
  private static let isOn = Atomic<Bool>(false)
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

  #if DEBUG
    /// For each thread, the place of the `then` that makes the thread's next promise.
    fileprivate static let places = Guarded<[UInt: Promise.Origin]>([:])

    static func place(_ origin: Promise.Origin) {
      if isListening { places.with { $0[CurrentThread.id] = origin } }
    }
  #endif
}

extension Promise {
  @inline(__always)
  func noteCreated(below parent: Promise?) {
    if Diagnosis.isListening { notifyMade(below: parent) }
  }

  @inline(never)
  private func notifyMade(below parent: Promise?) {
    #if DEBUG
      let place = Diagnosis.places.with { $0.removeValue(forKey: CurrentThread.id) }
      defer { if let place { Diagnosis.notify { $0.placed(ObjectIdentifier(self), place) } } }
    #endif
    Diagnosis.notify { listener in
      listener.made(
        ObjectIdentifier(self), parent: parent.map { ObjectIdentifier($0) }, context: ownContext.name)
      if kind.contains(.unfinished) { listener.combines(ObjectIdentifier(self), [], "unfinished") }
      if let end = PromiseEnd(self) {
        listener.settled(ObjectIdentifier(self), end, thread: CurrentThread.id)
      }
    }
  }

  /// Calls this child's handler, and notifies the listener before and after the call.
  @inline(never)
  func notedResult(of run: consuming Run, _ turn: Turn) -> Resolution {
    Diagnosis.notify { $0.began(ObjectIdentifier(self), thread: CurrentThread.id) }
    defer { Diagnosis.notify { $0.ended(ObjectIdentifier(self), thread: CurrentThread.id) } }
    return run.result(turn)
  }

  /// Reports that this result of a combinator waits for more promises.
  func noteInputs(_ inputs: [Promise], _ kind: String) {
    guard Diagnosis.isListening else { return }
    Diagnosis.notify { $0.combines(ObjectIdentifier(self), inputs.map { ObjectIdentifier($0) }, kind) }
  }

  /// Reports that this promise of a task waits in a queue, until one of `others` is finished.
  package func noteQueueing(behind others: () -> [Promise]) {
    if Diagnosis.isListening { noteInputs(others(), "queue") }
  }

  func noteFollowing(_ other: Promise) {
    guard Diagnosis.isListening else { return }
    Diagnosis.notify { $0.follows(ObjectIdentifier(self), ObjectIdentifier(other)) }
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
      if let end = PromiseEnd(self) {
        listener.settled(ObjectIdentifier(self), end, thread: CurrentThread.id)
      }
    }
  }

  @inline(__always)
  func noteFreed() {
    if Diagnosis.isListening { notifyGone() }
  }

  @inline(never)
  private func notifyGone() {
    let unobserved = lock.with { flags.contains(.observed) ? nil : PromiseEnd(self) }
    // `isCancellation` is called without a lock, because an error's `isCancelled` is user code.
    var isUnhandled = false
    if case .rejected(let reason) = unobserved { isUnhandled = !PromiseError.isCancellation(reason) }
    Diagnosis.notify { $0.gone(ObjectIdentifier(self), isUnhandled: isUnhandled) }
  }

  /// How this promise has settled; `nil` while it is pending.
  package var end: PromiseEnd? { lock.with { PromiseEnd(self) } }

  /// The name of the handler's context, or of the default context if there is no handler.
  package var contextName: String { lock.with { ownContext }.name }

  /// The handler's context, or the default context if there is no handler. Called with the lock held, or
  /// before another thread sees the promise.
  private var ownContext: ContextRef {
    if case .handler(let handler) = state, let context = handler.context { context } else { defaultContext }
  }
}
