// How children come to be.

extension Future {
  /// A new child with this handler, on `context` or, if that is `nil`, on this promise's default context.
  /// Where the promise is settled, the handler is on its way when this returns. One with a handler for no
  /// outcome only passes on.
  @usableFromInline
  final func add(_ handler: consuming Handler, on context: consuming ContextRef?) -> Promise {
    let effects = Effects.begin()
    let child = promise.child(consume handler, on: consume context, effects)
    Driver.perform(effects)
    return child
  }

  /// What a child of this promise remembers of `context`; `nil` for the default.
  @inlinable @inline(__always)
  final func reference(to context: (any ExecutionContext)?) -> ContextRef? { ContextRef(context) }
}

extension Promise {
  @inline(__always)
  func child(
    _ handler: consuming Handler, on context: consuming ContextRef?, _ effects: Effects
  ) -> Promise {
    handler.context = consume context
    let flags = Flags(handler)
    let hasNone = handler.kind.isEmpty
    let child = Promise(below: self, .handler(consume handler), flags)
    if hasNone { child.dropHandler() }
    child.noteMade(below: self)
    lock.lock()
    attach(child, effects)
    lock.unlock()
    return child
  }

  @inline(__always)
  func child(_ state: consuming State, _ flags: Flags, _ effects: Effects) -> Promise {
    let child = Promise(below: self, state, flags)
    child.noteMade(below: self)
    lock.lock()
    attach(child, effects)
    lock.unlock()
    return child
  }

  /// A handler for no outcome. Nobody else knows the child yet.
  @inline(never)
  private func dropHandler() {
    state = .unresolved
    flags = []
  }
}
