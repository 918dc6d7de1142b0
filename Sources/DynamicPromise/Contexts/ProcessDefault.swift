// The default context of the process: that of every root that is given no other.

import Synchronization

extension Promise {
  /// The default context of every promise that is made from now on and neither names a context nor finds one
  /// to inherit: `Promise()`, ``pending(fileID:line:)``, ``resolved(_:)``, `task` and the like,
  /// combinators without a promise among their inputs, `delay`. Trees that exist keep theirs.
  ///
  /// The private concurrent ``DefaultContext`` unless set, and again after `Promise.defaultContext =
  /// .shared`. A context that resolves to another is set as that one: ``CurrentContext`` as the context of
  /// the handler that sets it; `.inherited`, and `.current` outside of handlers, as the private one.
  /// Process-wide; may be set at any time, from any thread, and is held until it is replaced. Meant for the
  /// program, not for a library: set it once, before the first promise.
  public static var defaultContext: any ExecutionContext {
    get { ProcessDefault.context.context }
    set { ProcessDefault.set(ContextRef(newValue) ?? .shared) }
  }
}

/// What is set. While nobody has set one, a root pays one relaxed load and a branch for it.
enum ProcessDefault {
  private static let isSet = Atomic<Bool>(false)
  private static let stored = Guarded(ContextRef.shared)

  @inline(__always)
  static var context: ContextRef {
    // Relaxed is enough: who must see the new context has been synchronized otherwise, and the lock orders
    // the rest.
    isSet.load(ordering: .relaxed) ? stored.with { $0 } : .shared
  }

  static func set(_ context: ContextRef) {
    // Released here at the earliest: a context's release may run its deinit.
    let former = stored.with { stored in
      defer { stored = context }
      isSet.store(!context.isShared, ordering: .relaxed)
      return stored
    }
    withExtendedLifetime(former) {}
  }
}
