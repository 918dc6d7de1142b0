// Adds children to a promise.

extension Promise {
  /// Adds a child with this handler. A `nil` context means this promise's default context.
  ///
  /// If this promise is settled, the handler is scheduled before this call returns, unless an outer call or
  /// another thread has to schedule it. A child without a handler for the outcome settles with this promise's
  /// outcome.
  @usableFromInline
  func add(_ handler: consuming Handler, on context: consuming ContextRef?) -> Promise {
    let turn = Turn.current
    let child = child(consume handler, on: consume context, turn)
    turn.drain()
    return child
  }

  /// Converts `context` to its stored form; `nil` means the default context.
  @inlinable @inline(__always)
  func reference(to context: (any ExecutionContext)?) -> ContextRef? { ContextRef(context) }
}

extension Promise {
  /// Makes a child with this handler and attaches it.
  @inline(__always)
  func child(
    _ handler: consuming Handler, on context: consuming ContextRef? = nil, _ turn: Turn
  ) -> Promise {
    handler.context = consume context
    let child = Promise(below: self, consume handler)
    child.noteCreated(below: self)
    lock.lock()
    attach(child, turn)
    lock.unlock()
    return child
  }
}
