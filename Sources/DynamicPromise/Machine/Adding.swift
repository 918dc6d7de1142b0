// How children come to be.

extension Future {
  /// A new child with this handler, on `context` or, if that is `nil`, on this promise's default context.
  /// Where the promise is settled, the handler is on its way when this returns. One with a handler for no
  /// outcome only passes on.
  @usableFromInline
  final func add(_ handler: Handler, on context: ContextRef?) -> Promise {
    var effects = Effects()
    let child = promise.child(handler, on: context, &effects)
    effects.perform()
    return child
  }

  /// What a child of this promise remembers of `context`; `nil` for the default.
  @inlinable @inline(__always)
  final func reference(to context: (any ExecutionContext)?) -> ContextRef? { ContextRef(context) }
}

extension Promise {
  @inline(__always)
  func child(_ handler: Handler, on context: ContextRef?, _ effects: inout Effects) -> Promise {
    var handler = handler
    handler.context = context
    return child(with: handler.kind.isEmpty ? nil : handler, [], &effects)
  }

  @inline(__always)
  func child(with handler: Handler?, _ flags: Flags, _ effects: inout Effects) -> Promise {
    let child = Promise(below: self, handler, flags)
    lock.lock()
    attach(child, &effects)
    lock.unlock()
    return child
  }
}
