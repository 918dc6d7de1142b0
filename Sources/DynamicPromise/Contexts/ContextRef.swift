// The form in which promises store a context.

import Dispatch

/// A stored context: one of the library's own kinds, or a box with any other context. Its size is one word.
@usableFromInline
enum ContextRef: @unchecked Sendable {
  /// The private concurrent default.
  case shared
  case immediate
  case mainImmediate
  case mainQueue
  case queue(DispatchQueue)
  case other(Box)

  /// Retains a context of any other type.
  @usableFromInline
  final class Box: Sendable {
    let context: any ExecutionContext
    init(_ context: any ExecutionContext) { self.context = context }
  }

  /// `nil` if `context` means the default. This initializer compares types, because a failing cast of an
  /// instance looks for bridged types and changes shared reference counts.
  @usableFromInline
  init?<Context: ExecutionContext>(_ context: Context) {
    if Context.self == ImmediateContext.self {
      self = .immediate
    } else if Context.self == DefaultContext.self {
      self = .shared
    } else if Context.self is DispatchQueue.Type {
      self = .ofQueue(context as! DispatchQueue)
    } else if Context.self == MainImmediateContext.self {
      self = .mainImmediate
    } else if Context.self == CurrentContext.self {
      guard let running = (context as! CurrentContext).running else { return nil }
      self = running
    } else {
      self = .other(Box(context))
    }
  }

  /// The stored form of an optional context. An argument of `nil` also means the default.
  @inlinable @inline(__always)
  init?(_ context: consuming (any ExecutionContext)?) {
    guard let context else { return nil }
    self.init(context)
  }

  /// Whether this value retains nothing.
  @inline(__always) var isTrivial: Bool {
    switch self {
    case .queue, .other: false
    case .shared, .immediate, .mainImmediate, .mainQueue: true
    }
  }

  @inline(__always) var isShared: Bool { if case .shared = self { true } else { false } }

  /// Whether a handler that this stack schedules on this context runs in place.
  @inline(__always) var runsInPlace: Bool {
    switch self {
    case .immediate: true
    case .mainImmediate: MainImmediateContext.isOnMainQueue
    case .shared, .mainQueue, .queue, .other: false
    }
  }

  func isSame(as other: ContextRef) -> Bool {
    switch (self, other) {
    case (.shared, .shared), (.mainQueue, .mainQueue): true
    case (.queue(let one), .queue(let other)): one === other
    default: false
    }
  }

  /// The context in its public type.
  var context: any ExecutionContext {
    switch self {
    case .shared: DefaultContext()
    case .immediate: ImmediateContext()
    case .mainImmediate: MainImmediateContext()
    case .mainQueue: DispatchQueue.main
    case .queue(let queue): queue
    case .other(let box): box.context
    }
  }

  /// The context's name, for descriptions.
  package var name: String {
    switch self {
    case .shared: "default"
    case .immediate: "immediate"
    case .mainImmediate: "main, immediate"
    case .mainQueue: QueueMark.main.label
    case .queue(let queue): queue.label
    case .other(let box): (box.context as? DispatchQueue)?.label ?? "\(type(of: box.context))"
    }
  }
}
