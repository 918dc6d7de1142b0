/// Resolves to the context that a combinator finds in its inputs: the default context of the first promise
/// among them, else ``Promise/defaultContext``. The default of `on:`. Named for a handler or
/// a root it says no more than naming none.
public struct InheritedContext: ExecutionContext {
  /// All are alike.
  public init() {}

  /// Called by hand there is nothing to inherit: as on the private default context.
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
    // Types are compared, and no instance is cast, as in `ContextRef`.
    if let context, type(of: context) != InheritedContext.self { return Promise(on: context) }
    return Promise(.unresolved, on: input?.defaultContext ?? ProcessDefault.context)
  }
}
