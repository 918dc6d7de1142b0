/// The default argument of a combinator's `on:`. It means the default context of the first promise among the
/// inputs, or ``Promise/defaultContext`` if no input is a promise. For a handler or a root it means the
/// default, like `nil`.
public struct InheritedContext: ExecutionContext {
  /// All instances are equivalent.
  public init() {}

  /// Runs `job` on the private default context, because this method has no access to the inputs.
  public func execute(_ job: @escaping @Sendable () -> Void) { DefaultContext().execute(job) }
}

extension ExecutionContext where Self == InheritedContext {
  /// The default context of the first promise among a combinator's inputs.
  public static var inherited: InheritedContext { InheritedContext() }
}

extension Promise {
  /// A root for the result of a combinator; `input` is the first promise among its inputs.
  static func result(
    on context: (any ExecutionContext)?, inheritedFrom input: Promise? = nil
  ) -> Promise {
    // Compares types instead of casting, as `ContextRef` does.
    if let context, type(of: context) != InheritedContext.self {
      return Promise(pendingOn: ContextRef(context) ?? ProcessDefault.context)
    }
    return Promise(pendingOn: input?.defaultContext ?? ProcessDefault.context)
  }
}
