/// The default of a combinator's `on:`. It is the default context of the first promise among the inputs, or
/// ``Promise/defaultContext`` if there is none. For a handler or a root it means the default, as `nil`
/// does.
public struct InheritedContext: ExecutionContext {
  /// All instances are equivalent.
  public init() {}

  /// Runs `job` on the private default context, because there is nothing to inherit from.
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
