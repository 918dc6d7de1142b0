/// Stands for the context that a combinator finds in its inputs: the default context of the first promise among them, else
/// ``Promise/defaultContext`` (X1.6). What `on:` says unless told otherwise. Named for a handler or a root it says no
/// more than naming none (X1.8).
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
  static func result<Context: ExecutionContext>(
    on context: Context, inheritedFrom input: Promise? = nil
  ) -> Promise {
    guard Context.self == InheritedContext.self else { return Promise(on: context) }
    guard let inherited = input?.defaultContext else { return Promise() }
    return Promise(
      bits: 0, store: Store(), up: .none, context: inherited.retained(), defaultContext: inherited)
  }
}
