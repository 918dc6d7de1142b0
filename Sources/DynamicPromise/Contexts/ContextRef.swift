// How a promise remembers a context in one word, and how jobs get there.

import Dispatch

/// A context as promises store it.
@usableFromInline
enum ContextRef: Sendable {
  /// The private concurrent default (X1).
  case shared
  case queue(QueueRef)
  case immediate
  case mainImmediate
  case other(Box)

  /// A context of a type that we do not know.
  @usableFromInline
  final class Box: Sendable {
    let context: any ExecutionContext
    init(_ context: any ExecutionContext) { self.context = context }
  }

  /// `nil` for a context that says no more than "the default".
  @usableFromInline
  init?<Context: ExecutionContext>(_ context: Context) {
    // To compare types costs less than to cast, above all where it fails.
    let type = type(of: context)
    if type == ImmediateContext.self {
      self = .immediate
    } else if type == DefaultContext.self {
      self = .shared
    } else if let queue = context as? DispatchQueue {
      self = .ofQueue(queue)
    } else if context is MainImmediateContext {
      self = .mainImmediate
    } else if let current = context as? CurrentContext {
      guard let running = current.running else { return nil }
      self = running
    } else if Context.self == InheritedContext.self {
      return nil
    } else {
      self = .other(Box(context))
    }
  }

  @usableFromInline static let mainQueue = ContextRef.other(mainBox)
  private static let mainBox = Box(QueueMark.main)

  var isPrivate: Bool {
    if case .shared = self { true } else { false }
  }

  /// Whether a handler that is handed over here and now runs in place.
  var isImmediate: Bool {
    switch self {
    case .immediate: true
    case .mainImmediate: MainImmediateContext.isOnMainQueue
    case .shared, .queue, .other: false
    }
  }

  /// Gives the job of `child`, which is held, to the context.
  func submit(_ child: Unmanaged<Promise>, _ agenda: inout Agenda) {
    switch self {
    case .shared:
      Relay.mine.add(child)
    case .queue(let line):
      line.queue.async(flags: .barrier) { Promise.work(child, continuesInPlace: false) }
    case .immediate:
      agenda.run(child)
    case .mainImmediate:
      Self.mainQueue.submit(child, &agenda)
    case .other(let box):
      let job = Job(child)
      box.context.execute { ContextRef.run(in: box) { job.run() } }
    }
  }

  /// Runs a `finally` closure whose child was cancelled before it had started (C9).
  func runDetached(_ handlers: Handlers, _ reason: any Error) {
    let run = FirstRun()
    execute {
      guard run.once.claim() else { return }
      guard case .running(let handler)? = try? handlers.rejected?(reason) else { return }
      var agenda = Agenda()
      handler.observe(ReturnOfHandler(handler, of: nil, reason), &agenda)
      agenda.run()
    }
  }
}

/// The private concurrent context on which handlers run unless told otherwise (X1): handlers of siblings and of unrelated
/// trees may run in parallel, and none is queued behind another one that blocks. ``Promise/defaultContext`` can be another.
public struct DefaultContext: ExecutionContext {
  static let queue: DispatchQueue = {
    let queue = DispatchQueue(label: "DynamicPromise.default", attributes: .concurrent)
    QueueMark.ofDefault.enter(queue)
    return queue
  }()

  /// The one private context.
  public init() {}

  /// Hands `job` to the system's pool.
  public func execute(_ job: @escaping @Sendable () -> Void) { Self.queue.async(execute: job) }
}

extension ExecutionContext where Self == DefaultContext {
  /// The private concurrent default.
  public static var shared: DefaultContext { DefaultContext() }
}

/// Whether a job that nobody's promise depends on has run: a second run is ignored like that of any other.
private final class FirstRun: Sendable {
  let once = Once()
}

/// What a context of somebody else's making is given: runs once, and breaks its promise if it is dropped unrun.
private final class Job: Sendable {
  /// Held until the first run, which consumes it, so that a context that keeps its jobs for longer keeps no promise.
  private let child: Unmanaged<Promise>
  private let once = Once()

  init(_ child: Unmanaged<Promise>) { self.child = child }

  func run() {
    if once.claim() { Promise.work(child, continuesInPlace: false) }
  }

  deinit {
    if once.claim() { child.takeRetainedValue().breakDropped() }
  }
}

extension Promise {
  /// The context has dropped this child's job: nobody can run the handler any more.
  fileprivate func breakDropped() {
    let bits = word.lock()
    let displaced = cold?.displaced
    cold?.displaced = nil
    word.unlock(bits)
    if bits & State.hasHandlers != 0 { breakHandler() }
    displaced?.breakHandler()
  }

  private func breakHandler() {
    var agenda = Agenda()
    let bits = word.lock()
    guard State.isUnresolved(bits) else { return word.unlock(bits) }
    finish(bits, Store(reason: PromiseError.brokenAt(cold?.fate?.origin)), State.rejected, &agenda)
    agenda.run()
  }
}
