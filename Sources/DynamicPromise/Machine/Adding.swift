// Making children.

extension Future {
  /// A new child with this handler, on `context` or, if that is `nil`, on this promise's default context.
  /// If the promise is settled, the handler has been scheduled when this returns. A child whose handler is
  /// for no outcome takes the promise's outcome.
  @usableFromInline
  final func add(_ handler: consuming Handler, on context: consuming ContextRef?) -> Promise {
    let turn = Turn.current
    let child = promise.child(consume handler, on: consume context, turn)
    turn.drain()
    return child
  }

  /// `context` as a child stores it; `nil` for the default.
  @inlinable @inline(__always)
  final func reference(to context: (any ExecutionContext)?) -> ContextRef? { ContextRef(context) }
}

extension Promise {
  /// A new child with this handler.
  @inline(__always)
  func child(
    _ handler: consuming Handler, on context: consuming ContextRef? = nil, _ turn: Turn
  ) -> Promise {
    handler.context = consume context
    let child = Promise(below: self, consume handler)
    child.noteMade(below: self)
    lock.lock()
    attach(child, turn)
    lock.unlock()
    return child
  }
}
