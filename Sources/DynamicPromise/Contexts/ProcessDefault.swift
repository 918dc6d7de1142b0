// The default context of the process: that of every root for which no other is named.

import Synchronization

extension Promise {
  /// The default context of every promise that is made from now on, names no context and inherits none:
  /// `Promise()`, ``pending(fileID:line:)``, ``resolved(_:)``, `task` and the like, combinators without a
  /// promise among their inputs, `delay`. Trees that exist keep theirs.
  ///
  /// It is the private concurrent ``DefaultContext`` unless set; `Promise.defaultContext = .shared` resets
  /// it. `.current` is stored as the context of the handler that sets it, or outside of handlers, like
  /// `.inherited`, as the private one. One for the whole process; may be set at any time, from any thread,
  /// and is held until it is replaced. Meant for programs and not for libraries: set it once, before the
  /// first promise.
  public static var defaultContext: any ExecutionContext {
    get { ProcessDefault.context.context }
    set { ProcessDefault.set(ContextRef(newValue) ?? .shared) }
  }
}

/// The context that was set. As long as none was, a root pays one relaxed load and a branch for it.
enum ProcessDefault {
  private static let isSet = Atomic<Bool>(false)
  private static let stored = Guarded(ContextRef.shared)

  @inline(__always)
  static var context: ContextRef {
    // Relaxed is enough: a thread that has to see the new context was synchronized by other means, and the
    // lock orders the rest.
    isSet.load(ordering: .relaxed) ? stored.with { $0 } : .shared
  }

  static func set(_ context: ContextRef) {
    // Held until the lock is free: the release of a context may run its deinit.
    let former = stored.with { stored in
      defer { stored = context }
      isSet.store(!context.isShared, ordering: .relaxed)
      return stored
    }
    withExtendedLifetime(former) {}
  }
}
