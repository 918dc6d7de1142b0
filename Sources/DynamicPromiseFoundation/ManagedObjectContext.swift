// Apple systems only. This file is not compiled on Linux, which has no Core Data, and no test runs it. The
// file is small enough to check by reading.

#if canImport(CoreData)
  import CoreData
  import DynamicPromise

  /// A Core Data context as an execution context: handlers run inside `perform`, on the context's queue, in
  /// order.
  public struct ManagedObjectContext: ExecutionContext, @unchecked Sendable {
    // Unchecked, because only `perform` is used, which may be called from any thread.
    private let base: NSManagedObjectContext

    /// A context whose handlers run inside `base.perform`.
    public init(_ base: NSManagedObjectContext) { self.base = base }

    /// Enqueues `job` with `perform`.
    public func execute(_ job: @escaping @Sendable () -> Void) { base.perform(job) }
  }

  extension ExecutionContext where Self == ManagedObjectContext {
    /// A context whose handlers run inside `context.perform`.
    public static func managedObjects(_ context: NSManagedObjectContext) -> ManagedObjectContext {
      ManagedObjectContext(context)
    }
  }
#endif
