import Dispatch
import DynamicPromise
import DynamicPromiseFoundation
import DynamicPromiseTesting
import Foundation
import PromisesAPlusSuite

/// Every execution context of the library as a subject of the suite, except for `.current`,
/// which resolves to another context, and for the context of Core Data, which only Apple systems have.
enum Matrix {
  static let subjects = contexts.map { $0.deviating(decisions) }

  private static let contexts: [Subject] = [
    Subject(
      name: "default", summary: "then, on the private concurrent default context",
      adapter: { DynamicPromiseAdapter(route: .tree(nil)) },
      orderAdapter: { logging { log in .tree(RecordingContext(base: .shared, log: log)) } }),
    explicit("serial", "thenOn a private serial queue") { .serial("conformance.serial") },
    explicit("barrier", "thenOn a concurrent queue: behind barriers") { .concurrent("conformance.barrier") },
    overlapping("reading", "thenOn(.reading(queue)): a concurrent queue without barriers") {
      .reading(DispatchQueue(label: "conformance.reading", attributes: .concurrent))
    },
    overlapping("global", "thenOn a global queue: concurrent, without barriers") { DispatchQueue.global() },
    explicit("main", "thenOn the main queue") { .main },
    Subject(name: "main-actor", summary: "thenOnMain, with handlers that belong to the main actor") {
      DynamicPromiseAdapter(route: .onMain)
    },
    Subject(name: "serial-tree", summary: "then, in a tree whose default context is a serial queue") {
      DynamicPromiseAdapter(route: .tree(.serial("conformance.tree")))
    },
    explicit("custom", "thenOn a context of one's own, here around a serial queue") {
      RecordingContext(base: .serial("conformance.custom"), log: SchedulingLog())
    },
    explicit("actor", "thenOn an actor") { .actor(Stage()) },
    explicit("serial-executor", "thenOn a custom serial executor") { Executors.serial },
    Subject(
      name: "task-executor",
      summary: "then, in a tree whose default context is a task executor of several threads"
    ) {
      DynamicPromiseAdapter(route: .tree(Executors.pool))
    },
    explicit("test-context", "thenOn a TestContext of DynamicPromiseTesting, stepped by a thread") { pumped },
    immediate,
    mainImmediate,
    explicit("operations", "thenOn an operation queue of width 1") {
      .operations("conformance.operations", width: 1)
    },
    overlapping("operations-wide", "thenOn an operation queue of width 4") {
      .operations("conformance.wide", width: 4)
    },
    explicit("run-loop", "thenOn the main thread's run loop") { .mainRunLoop },
    explicit("thread", "thenOn a thread with a run loop") { Thread.withRunLoop(name: "conformance.thread") },
  ]

  /// Returns a subject whose handlers run on a context that is passed to `thenOn`.
  private static func explicit(
    _ name: String, _ summary: String, deviations: [Deviation] = [],
    _ context: @escaping @Sendable () -> any ExecutionContext
  ) -> Subject {
    Subject(name: name, summary: summary, deviations: deviations) {
      DynamicPromiseAdapter(route: .explicit(context()))
    }
  }

  /// Returns a subject for a context on which handlers may overlap. The context logs its jobs for the cases
  /// about order.
  private static func overlapping(
    _ name: String, _ summary: String, _ context: @escaping @Sendable () -> any ExecutionContext
  ) -> Subject {
    Subject(
      name: name, summary: summary,
      adapter: { DynamicPromiseAdapter(route: .explicit(context())) },
      orderAdapter: { logging { log in .explicit(RecordingContext(base: context(), log: log)) } })
  }

  private static func logging(
    _ route: (SchedulingLog) -> DynamicPromiseAdapter.Route
  ) -> DynamicPromiseAdapter {
    let log = SchedulingLog()
    let overlap =
      "handlers of one promise may run in parallel here, so their effects may appear in any order"
    return DynamicPromiseAdapter(route: route(log), handlerOrder: .scheduling(log, reason: overlap))
  }

  /// The intended differences from ECMAScript, on every context.
  private static let decisions = [
    Deviation(
      "27.2.4.5+none",
      reason: "a race without inputs is rejected, so that its consumers do not wait forever"),
    Deviation("27.2.4.7+error", reason: "an error that resolves a promise rejects it, as a thrown one does"),
    Deviation(
      "27.2.4.7+itself",
      reason: "resolved(promise) returns a new root that follows the promise, and can be cancelled alone"),
  ]

  /// A context that is stepped by its own thread.
  private static let pumped: TestContext = {
    let context = TestContext()
    Thread.start("conformance.pump") {
      while true { if context.waitForJob(timeout: .infinity) { context.drain() } }
    }
    return context
  }()

  /// Handlers run on the current stack, which Promises/A+ forbids. This is intended.
  private static let immediate = explicit(
    "immediate", "thenOn(.immediate), which is not Promises/A+",
    deviations: [
      Deviation(
        "2.2.4",
        reason: "handlers run at once, on the stack of the call that registers or settles"),
      Deviation(
        "27.2.4.1+stack", "27.2.4.2+stack", "27.2.4.3+stack", "27.2.4.5+stack", "27.2.4.6+stack",
        "27.2.4.7+stack", "27.2.4.8+stack", "27.2.4.9+stack", "27.2.5.3+stack", "27.2.5.3+stack-rejected",
        "27.2.5.3+stack-late", "27.2.5.3+stack-late-rejected",
        reason: "handlers run at once, as above"),
      Deviation(
        "2.2.6.1/13", "2.2.6.2/13",
        reason: "the first handler runs before then returns, so it cannot wait until the second is added"),
      Deviation(
        "2.3.1/1", "2.3.1/2", "2.3.1+through-handler",
        reason: "the handler runs before then returns, so it cannot return the promise that then returns"),
    ]
  ) { .immediate }

  /// On the main queue, this context intentionally violates Promises/A+. If a promise settles on another
  /// thread, its handlers are enqueued on the main queue. A handler that another handler registers there runs
  /// in place, as soon as the other handler has returned.
  private static let mainImmediate = Subject(
    name: "main-immediate", summary: "thenOn(.mainImmediate), which is not Promises/A+",
    deviations: [
      Deviation(
        "2.2.6.1/13", "2.2.6.1/14", "2.2.6.1/15", "2.2.6.2/13", "2.2.6.2/14", "2.2.6.2/15",
        reason: "a handler registered by another one runs in place, before those in the main queue")
    ]
  ) {
    DynamicPromiseAdapter(route: .explicit(.mainImmediate, Traffic()))
  }
}
