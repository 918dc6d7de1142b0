// For whoever watches promises come and go (`DynamicPromiseDiagnostics`). While nobody does, each of these events costs
// the load of one word and a branch.

import Dispatch
import Synchronization

/// Is told of every promise while it is installed. Called from any thread, sometimes with a promise locked: takes notes, asks
/// no promise for anything but what it is given, and releases nothing.
package protocol PromiseListener: AnyObject, Sendable {
  /// `context` is where the promise's handler runs, for a root the default context.
  func made(_ promise: ObjectIdentifier, parent: ObjectIdentifier?, context: String)
  func placed(_ promise: ObjectIdentifier, _ origin: Promise.Origin)
  func follows(_ promise: ObjectIdentifier, _ other: ObjectIdentifier)
  /// On the thread of this number; others, too, are never zero.
  func settled(_ promise: ObjectIdentifier, _ how: PromiseEnd, thread: UInt)
  func gone(_ promise: ObjectIdentifier)
  /// The promise's handler is about to be called, and has returned.
  func began(_ promise: ObjectIdentifier, thread: UInt)
  func ended(_ promise: ObjectIdentifier, thread: UInt)
  /// The promise is a combinator's result, and waits for these besides those that it waits for already.
  func combines(_ promise: ObjectIdentifier, _ inputs: [ObjectIdentifier], _ kind: String)
}

/// How a promise has settled.
package enum PromiseEnd: Sendable {
  case fulfilled, rejected, cancelled

  fileprivate init?(_ promise: Promise) {
    switch promise.state {
    case .fulfilled: self = .fulfilled
    case .rejected: self = promise.flags.contains(.cancelled) ? .cancelled : .rejected
    default: return nil
    }
  }
}

/// The one listener of the process.
package enum Diagnosis {
  private static let isOn = Atomic<Bool>(false)
  private static let listener = Guarded<(any PromiseListener)?>(nil)

  /// Installs the listener.
  package static func install(_ new: any PromiseListener) {
    listener.with { $0 = new }
    isOn.store(true, ordering: .releasing)
  }

  /// From now on nobody is told, apart from whoever is being told right now.
  package static func remove() { isOn.store(false, ordering: .releasing) }

  /// Whether somebody listens. The one question where that costs something.
  @inline(__always)
  static var isWatching: Bool { isOn.load(ordering: .acquiring) }

  @inline(__always)
  static func tell(_ news: (any PromiseListener) -> Void) {
    if isWatching, let listener = listener.with({ $0 }) { news(listener) }
  }
}

extension Promise {
  @inline(__always)
  func noteMade(below parent: Promise?) {
    Diagnosis.tell { listener in
      listener.made(
        ObjectIdentifier(self), parent: parent.map { ObjectIdentifier($0) }, context: contextName)
      if let end = PromiseEnd(self) {
        listener.settled(ObjectIdentifier(self), end, thread: CurrentThread.id)
      }
    }
  }

  /// Calls a handler for an audience.
  @inline(never)
  static func callWatched(_ run: consuming Effects.Run) -> Resolution {
    let child = ObjectIdentifier(run.child)
    Diagnosis.tell { $0.began(child, thread: CurrentThread.id) }
    defer { Diagnosis.tell { $0.ended(child, thread: CurrentThread.id) } }
    return call(run)
  }

  /// This result of a combinator waits for more promises.
  func noteInputs(_ inputs: [Promise], _ kind: String) {
    Diagnosis.tell { $0.combines(ObjectIdentifier(self), inputs.map { ObjectIdentifier($0) }, kind) }
  }

  func noteFollowing(_ other: Promise) {
    Diagnosis.tell { $0.follows(ObjectIdentifier(self), ObjectIdentifier(other)) }
  }

  /// Called before anybody can see the settled state, so that nobody who has seen it finds the promise listed as pending.
  @inline(__always)
  func noteSettled() {
    Diagnosis.tell { listener in
      if let end = PromiseEnd(self) {
        listener.settled(ObjectIdentifier(self), end, thread: CurrentThread.id)
      }
    }
  }

  /// How this promise has settled, if it has.
  package var end: PromiseEnd? { lock.with { PromiseEnd(self) } }

  /// Where the handler runs, for a root the default context; in words.
  package var contextName: String {
    if case .handler(let handler) = state, let context = handler.context {
      context.name
    } else {
      defaultContext.name
    }
  }
}
