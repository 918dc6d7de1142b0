// Apple systems only. There is no Core Data on Linux, so this file is not compiled there and no test of ours
// runs it; it is kept so small that it can be checked by reading.

#if canImport(CoreData)
  import CoreData
  import DynamicPromise

  /// A Core Data context as an execution context: handlers run inside its `perform`, on its queue, in order.
  public struct ManagedObjectContext: ExecutionContext, @unchecked Sendable {
    // Unchecked, because only `perform` is used, which may be called from any thread.
    private let base: NSManagedObjectContext

    /// Handlers inside of `base.perform`.
    public init(_ base: NSManagedObjectContext) { self.base = base }

    /// Enqueues `job` by `perform`.
    public func execute(_ job: @escaping @Sendable () -> Void) { base.perform(job) }
  }

  extension ExecutionContext where Self == ManagedObjectContext {
    /// Handlers inside of `context.perform`.
    public static func managedObjects(_ context: NSManagedObjectContext) -> ManagedObjectContext {
      ManagedObjectContext(context)
    }
  }
#endif
