// What most promises never need, kept out of line: hooks of the task, and more than one observer.

/// The rarely used fields of a promise; guarded by the promise's word.
final class Cold {
  /// This promise's entry among the observers of the promise that it has adopted.
  @exclusivity(unchecked) var adoption: AdoptionNode?
  /// Run once when the promise is cancelled by message; dropped when it settles otherwise (C6).
  @exclusivity(unchecked) var cancelHooks: [@Sendable (any Error) -> Void] = []
  /// Run once when the promise goes away unresolved (L1); dropped when it is resolved.
  @exclusivity(unchecked) var abandonHooks: [@Sendable () -> Void] = []
  /// What a resolver wants to know after the promise has gone.
  @exclusivity(unchecked) var fate: Fate?
  /// A handler that goes on although its child was settled by hand (`Promise.displaceHandlers`).
  @exclusivity(unchecked) var displaced: Promise?
  /// The anonymous child that has this one's handlers, while this one follows another promise: to be told if this one is.
  @exclusivity(unchecked) var heir: Promise?
  /// Whoever wants the outcome and is not a child, oldest first.
  @exclusivity(unchecked) var observers = ObserverList()
}

/// What settling takes out of the cold fields under the lock, to be told or freed after it.
struct Withdrawn {
  let cancelHooks: [@Sendable (any Error) -> Void]
  let abandonHooks: [@Sendable () -> Void]
  let adoption: AdoptionNode?
  let heir: Promise?

  /// The promise was cancelled by message.
  func tell(_ reason: any Error) {
    for hook in cancelHooks { hook(reason) }
  }
}

extension Cold {
  func withdraw() -> Withdrawn {
    let withdrawn = Withdrawn(
      cancelHooks: cancelHooks, abandonHooks: abandonHooks, adoption: adoption, heir: heir)
    cancelHooks = []
    abandonHooks = []
    adoption = nil
    heir = nil
    return withdrawn
  }
}

/// What a promise holds beside what every promise needs, in one word: nothing, cold fields, or the one observer of a promise
/// that needs nothing else, or all that one with a resolver needs; for these no object is made. Owns what it says, by hand.
struct Rare {
  private static let observer: UInt = 0b01
  private static let cold: UInt = 0b11

  private var word: UInt = 0

  @inline(__always) init() {}

  @inline(__always)
  init(_ cold: Unmanaged<Cold>) { word = UInt(bitPattern: cold.toOpaque()) | Self.cold }

  @inline(__always)
  init(_ observer: Unmanaged<Observer>) { word = UInt(bitPattern: observer.toOpaque()) | Self.observer }

  @inline(__always)
  init(_ fate: Unmanaged<Fate>) { word = UInt(bitPattern: fate.toOpaque()) }

  @inline(__always) var isNone: Bool { word == 0 }

  /// Whether there is nothing that has to do with settling: no observer, no cold fields.
  @inline(__always) var isQuiet: Bool { word & 1 == 0 }

  @inline(__always) var cold: Unmanaged<Cold>? { isTagged(Self.cold) ? held() : nil }

  @inline(__always) var observer: Unmanaged<Observer>? { isTagged(Self.observer) ? held() : nil }

  @inline(__always) var fate: Unmanaged<Fate>? { isQuiet && !isNone ? held() : nil }

  @inline(__always) private func isTagged(_ tag: UInt) -> Bool { word & 3 == tag }

  @inline(__always)
  private func held<Object: AnyObject>() -> Unmanaged<Object> {
    .fromOpaque(UnsafeRawPointer(bitPattern: word & ~3).unsafelyUnwrapped)
  }

  /// Lets go of what it says; called once, at the end.
  @inline(__always)
  func release() { if word != 0 { releaseSomething() } }

  @inline(never)
  private func releaseSomething() {
    cold?.release()
    observer?.release()
    fate?.release()
  }
}

extension Promise {
  /// The cold fields, if there are any.
  @inline(__always) var cold: Cold? { rare.cold?.takeUnretainedValue() }

  /// What a resolver wants to know, if there is or was one.
  var fate: Fate? { rare.fate?.takeUnretainedValue() ?? cold?.fate }

  /// The cold fields, made on first use. The caller holds the lock.
  var coldFields: Cold {
    if let cold { return cold }
    let made = Cold()
    if let observer = rare.observer { made.observers.append(observer.takeRetainedValue().standIn(at: self)) }
    if let fate = rare.fate { made.fate = fate.takeRetainedValue() }
    rare = Rare(.passRetained(made))
    return made
  }
}
