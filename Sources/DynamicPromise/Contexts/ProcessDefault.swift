// The default context of the process, for roots for which no other context is given.

extension Promise {
  /// The default context of roots for which no context is given or inherited (X1.6 of the Spec), and that are
  /// made after this property is set. Existing trees keep their contexts.
  ///
  /// The default is the private concurrent ``DefaultContext``; `Promise.defaultContext = .shared` resets it.
  /// `.current` is stored as the context of the handler that sets this property. Programs should set it once,
  /// before the first promise; libraries should not set it.
  public static var defaultContext: any ExecutionContext {
    get { ProcessDefault.context.context }
    set { ProcessDefault.set(ContextRef(newValue) ?? .shared) }
  }
}

/// The context that was set. If no context was set, a new root costs one relaxed load and a branch.
enum ProcessDefault {
  private static let isSet = AtomicFlag(false)
  private static let stored = Guarded(ContextRef.shared)

  @inline(__always)
  static var context: ContextRef {
    // A relaxed load is enough: a thread that must see the new context was synchronized by other means.
    isSet.load(ordering: .relaxed) ? stored.with { $0 } : .shared
  }

  static func set(_ context: ContextRef) {
    // The former context is retained until the lock is free, because releasing a context may run its
    // `deinit`.
    let former = stored.with { stored in
      defer { stored = context }
      isSet.store(!context.isShared, ordering: .relaxed)
      return stored
    }
    withExtendedLifetime(former) {}
  }
}
