// The default context of the process: that of every root which is told of no other (X1.7).
//
// While nobody has set one, a root pays one relaxed load and a branch for it, and its context is a constant.

import Synchronization

extension Promise {
  /// The default context of every promise that is made from now on and neither names a context nor finds one to inherit:
  /// `Promise()`, ``pending(fileID:line:)``, ``resolved(_:)``, ``task(_:)`` and the like, combinators without a promise among their
  /// inputs, ``delay(_:_:on:)`` (X1.7). Trees that exist keep theirs.
  ///
  /// The private concurrent ``DefaultContext`` unless set, and again after `Promise.defaultContext = .shared`. A context
  /// that stands for another is set as what it stands for now: ``CurrentContext`` as the context of the handler that
  /// sets it; `.inherited`, and `.current` outside of handlers, as the private one. Process-wide; may be set at any time, from any
  /// thread, and is held until it is replaced. Meant for the program, not for a library: set it once, before the first
  /// promise.
  public static var defaultContext: any ExecutionContext {
    get { HeldContext(ProcessDefault.context ?? .shared).context }
    set { ProcessDefault.set(ContextRef(newValue) ?? .shared) }
  }
}

/// What is set, and how it is exchanged: copied out under the lock, released outside.
enum ProcessDefault {
  private static let isSet = Atomic<Bool>(false)
  private static let word = LockedWord(0)
  /// Guarded by `word`.
  private nonisolated(unsafe) static var stored = ContextRef.shared

  /// `nil` if it is the private one. The caller takes a reference over.
  @inline(__always)
  static var context: ContextRef? {
    // Whoever has to find it set knows that from elsewhere; the lock orders the rest.
    isSet.load(ordering: .relaxed) ? load() : nil
  }

  @inline(never)
  private static func load() -> ContextRef {
    let bits = word.lock()
    let context = stored.retained()
    word.unlock(bits)
    return context
  }

  /// Takes a reference over.
  static func set(_ context: ContextRef) {
    let bits = word.lock()
    let former = stored
    stored = context
    isSet.store(!context.isPrivate, ordering: .relaxed)
    word.unlock(bits)
    // Here at the earliest: a context's release may run its deinit.
    former.release()
  }
}

extension HeldContext {
  /// As a value that users can hold.
  fileprivate var context: any ExecutionContext {
    switch reference.kind {
    case .shared: DefaultContext()
    case .queue(let line): line.takeUnretainedValue().queue
    case .immediate: ImmediateContext()
    case .mainImmediate: MainImmediateContext()
    case .other(let box): box.takeUnretainedValue().context
    }
  }
}
