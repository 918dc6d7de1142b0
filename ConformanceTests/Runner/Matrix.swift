import Dispatch
import DynamicPromise
import DynamicPromiseFoundation
import DynamicPromiseTesting
import Foundation
import PromisesAPlusSuite
import RunnerKit

/// Every execution context of the library as a subject of the suite, except `.current` and `.inherited`,
/// which resolve to others, and Core Data's, which only Apple systems have.
enum Matrix {
  static let subjects = contexts.map { $0.deviating(decisions) }

  private static let contexts: [Subject] = [
    Subject(
      name: "default", summary: "then, on the private concurrent default context",
      adapter: { DynamicPromiseAdapter(route: .tree(nil)) },
      orderAdapter: {
        let log = SchedulingLog()
        return DynamicPromiseAdapter(
          route: .tree(RecordingContext(base: .shared, log: log)),
          handlerOrder: .scheduling(log, reason: overlap))
      }),
    Subject(name: "serial", summary: "thenOn a private serial queue") {
      DynamicPromiseAdapter(route: .explicit(.serial("conformance.serial")))
    },
    Subject(name: "barrier", summary: "thenOn a concurrent queue: behind barriers") {
      DynamicPromiseAdapter(
        route: .explicit(.concurrent("conformance.barrier")))
    },
    Subject(
      name: "reading", summary: "thenOn(.reading(queue)): a concurrent queue without barriers",
      adapter: {
        DynamicPromiseAdapter(route: .explicit(.reading(.concurrent("conformance.reading"))))
      },
      orderAdapter: {
        let log = SchedulingLog()
        let queue = DispatchQueue(label: "conformance.reading", attributes: .concurrent)
        return DynamicPromiseAdapter(
          route: .explicit(RecordingContext(base: .reading(queue), log: log)),
          handlerOrder: .scheduling(log, reason: overlap))
      }),
    Subject(
      name: "global", summary: "thenOn a global queue: concurrent, without barriers",
      adapter: { DynamicPromiseAdapter(route: .explicit(DispatchQueue.global())) },
      orderAdapter: {
        let log = SchedulingLog()
        return DynamicPromiseAdapter(
          route: .explicit(RecordingContext(base: DispatchQueue.global(), log: log)),
          handlerOrder: .scheduling(log, reason: overlap))
      }),
    Subject(name: "main", summary: "thenOn the main queue") {
      DynamicPromiseAdapter(route: .explicit(.main))
    },
    Subject(name: "main-actor", summary: "thenOnMain, with handlers that belong to the main actor") {
      DynamicPromiseAdapter(route: .onMain)
    },
    Subject(name: "serial-tree", summary: "then, in a tree whose default context is a serial queue") {
      DynamicPromiseAdapter(route: .tree(.serial("conformance.tree")))
    },
    Subject(name: "custom", summary: "thenOn a context of one's own, here around a serial queue") {
      DynamicPromiseAdapter(
        route: .explicit(RecordingContext(base: .serial("conformance.custom"), log: SchedulingLog())))
    },
    Subject(name: "actor", summary: "thenOn an actor") {
      DynamicPromiseAdapter(route: .explicit(.actor(Stage())))
    },
    Subject(name: "serial-executor", summary: "thenOn a custom serial executor") {
      DynamicPromiseAdapter(route: .explicit(.executor(QueueExecutor())))
    },
    Subject(
      name: "task-executor",
      summary: "then, in a tree whose default context is a task executor of several threads"
    ) {
      DynamicPromiseAdapter(route: .tree(.executor(PoolExecutor())))
    },
    Subject(
      name: "test-context", summary: "thenOn a TestContext of DynamicPromiseTesting, stepped by a thread"
    ) {
      DynamicPromiseAdapter(route: .explicit(pumped))
    },
    immediate,
    mainImmediate,
    Subject(name: "operations", summary: "thenOn an operation queue of width 1") {
      DynamicPromiseAdapter(route: .explicit(.operations("conformance.operations", width: 1)))
    },
    Subject(
      name: "operations-wide", summary: "thenOn an operation queue of width 4",
      adapter: { DynamicPromiseAdapter(route: .explicit(.operations("conformance.wide", width: 4))) },
      orderAdapter: {
        let log = SchedulingLog()
        return DynamicPromiseAdapter(
          route: .explicit(RecordingContext(base: .operations("conformance.wide", width: 4), log: log)),
          handlerOrder: .scheduling(log, reason: overlap))
      }),
    Subject(name: "run-loop", summary: "thenOn the main thread's run loop") {
      DynamicPromiseAdapter(route: .explicit(.mainRunLoop))
    },
    Subject(name: "thread", summary: "thenOn a thread with a run loop") {
      DynamicPromiseAdapter(route: .explicit(Thread.withRunLoop(name: "conformance.thread")))
    },
  ]

  /// Where the library differs from ECMAScript on purpose, on every context.
  private static let decisions = [
    Deviation(
      "27.2.4.5+none",
      reason: "a race without inputs is rejected, so that its consumers do not wait forever"),
    Deviation("27.2.4.7+error", reason: "an error that resolves a promise rejects it, as a thrown one does"),
    Deviation(
      "27.2.4.7+itself",
      reason: "resolved(_:) makes a promise that follows the other: a root, which can be cancelled alone"),
  ]

  /// A context that is stepped by hand, with its stepper.
  private static let pumped: TestContext = {
    let context = TestContext()
    let pump = Thread { while true { if context.waitForJob(timeout: .infinity) { context.drain() } } }
    pump.name = "conformance.pump"
    pump.start()
    return context
  }()

  /// Not Promises/A+, on purpose: handlers run on the current stack.
  private static let immediate = Subject(
    name: "immediate", summary: "thenOn(.immediate), which is not Promises/A+",
    deviations: [
      Deviation(
        "2.2.4",
        reason: "handlers run at once, on the stack of the call that registers or settles"),
      Deviation(
        "2.2.6.1/13", "2.2.6.2/13",
        reason: "the first handler runs inside of the call to then that adds it, and so cannot wait for the "
          + "second one to be added"),
      Deviation(
        "2.3.1/1", "2.3.1/2", "2.3.1+through-handler",
        reason: "the handler runs inside of the call to then, and so cannot return the promise that the "
          + "call has still to return"),
    ]
  ) {
    DynamicPromiseAdapter(route: .explicit(.immediate))
  }

  /// Not Promises/A+ on the main queue, on purpose. Handlers from other threads are scheduled on it, but what
  /// a handler registers there runs in place, as soon as that handler has returned.
  private static let mainImmediate = Subject(
    name: "main-immediate", summary: "thenOn(.mainImmediate), which is not Promises/A+",
    deviations: [
      Deviation(
        "2.2.6.1/13", "2.2.6.1/14", "2.2.6.1/15", "2.2.6.2/13", "2.2.6.2/14", "2.2.6.2/15",
        reason: "a handler registered by another one runs in place, before those in the main queue")
    ]
  ) {
    DynamicPromiseAdapter(route: .immediatelyOnMain(Traffic()))
  }

  private static let overlap =
    "handlers of one promise may run in parallel here, so their effects may appear in any order"
}
