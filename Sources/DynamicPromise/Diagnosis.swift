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
  func settled(_ promise: ObjectIdentifier, _ how: PromiseEnd)
  func gone(_ promise: ObjectIdentifier)
}

/// How a promise has settled.
package enum PromiseEnd: Sendable {
  case fulfilled, rejected, cancelled

  fileprivate init?(_ bits: UInt) {
    guard State.isSettled(bits) else { return nil }
    if bits & State.told != 0 {
      self = .cancelled
    } else {
      self = bits & State.mask == State.fulfilled ? .fulfilled : .rejected
    }
  }
}

/// The one listener of the process.
package enum Diagnosis {
  /// The address of a box that is never freed, so that whoever has loaded it may use it for as long as it likes.
  private static let address = Atomic<UInt>(0)

  private final class Box: Sendable {
    let listener: any PromiseListener
    init(_ listener: any PromiseListener) { self.listener = listener }
  }

  private nonisolated(unsafe) static var box: Box?

  /// Installs the listener, always the same one. The caller sees to it that this is not called twice at a time.
  package static func install(_ listener: any PromiseListener) {
    if box == nil { box = Box(listener) }
    address.store(
      box.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0, ordering: .releasing)
  }

  /// From now on nobody is told, apart from whoever is being told right now.
  package static func remove() { address.store(0, ordering: .releasing) }

  /// Whether nobody listens.
  @inline(__always) static var isSilent: Bool { address.load(ordering: .acquiring) == 0 }

  @inline(__always)
  static func tell(_ news: (any PromiseListener) -> Void) {
    let address = address.load(ordering: .acquiring)
    if address != 0 { news(listener(at: address)) }
  }

  @inline(never)
  private static func listener(at address: UInt) -> any PromiseListener {
    Unmanaged<Box>.fromOpaque(UnsafeRawPointer(bitPattern: address)!).takeUnretainedValue().listener
  }
}

extension Promise {
  func noteMade() {
    Diagnosis.tell { listener in
      var parent: ObjectIdentifier?
      if let held = up.parent { parent = ObjectIdentifier(held.takeUnretainedValue()) }
      listener.made(ObjectIdentifier(self), parent: parent, context: contextName)
      if let end { listener.settled(ObjectIdentifier(self), end) }
    }
  }

  func noteFollowing(_ other: Promise) {
    Diagnosis.tell { $0.follows(ObjectIdentifier(self), ObjectIdentifier(other)) }
  }

  /// Called before anybody can see the settled state, so that nobody who has seen it finds the promise listed as pending.
  func noteSettled(_ bits: UInt) {
    Diagnosis.tell { listener in
      if let end = PromiseEnd(bits) { listener.settled(ObjectIdentifier(self), end) }
    }
  }

  /// How this promise has settled, if it has.
  package var end: PromiseEnd? { PromiseEnd(word.peek()) }

  /// Where the handler runs, for a root the default context; in words.
  package var contextName: String { context.name }
}

extension ContextRef {
  /// For people.
  fileprivate var name: String {
    switch kind {
    case .shared: "default"
    case .queue(let line): line.takeUnretainedValue().queue.label
    case .immediate: "immediate"
    case .mainImmediate: "main, immediate"
    case .other(let box): box.takeUnretainedValue().name
    }
  }
}

extension ContextRef.Box {
  fileprivate var name: String { (context as? DispatchQueue)?.label ?? "\(type(of: context))" }
}
