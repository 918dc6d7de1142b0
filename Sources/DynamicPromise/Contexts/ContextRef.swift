// How a promise remembers a context in one word.

import Dispatch

/// A context as promises store it: a constant, or the address of a ``Holder`` with a bit that says which. Counted by hand,
/// because copies of an enum would be calls even for the constants, and each promise stores two.
///
/// Whoever gives a promise its context gives a reference away; whoever reads it out of a promise borrows it
/// from that promise, and takes one of his own where the promise may go meanwhile. ``HeldContext`` is counted by the compiler.
@usableFromInline
struct ContextRef: @unchecked Sendable {
  /// Never null, so that an optional one is a word, too.
  @usableFromInline let word: UnsafeRawPointer

  @inlinable @inline(__always)
  init(constant: UInt) { word = UnsafeRawPointer(bitPattern: constant).unsafelyUnwrapped }

  /// Takes a reference over.
  @inline(__always)
  init(queue: Unmanaged<QueueRef>) { word = UnsafeRawPointer(queue.toOpaque()) + 1 }

  /// Takes a reference over.
  @inlinable @inline(__always)
  init(box: Unmanaged<Box>) { word = UnsafeRawPointer(box.toOpaque()) }

  /// The private concurrent default (X1).
  @inlinable @inline(__always) static var shared: ContextRef { ContextRef(constant: 4) }
  @inlinable @inline(__always) static var immediate: ContextRef { ContextRef(constant: 8) }
  @inlinable @inline(__always) static var mainImmediate: ContextRef { ContextRef(constant: 12) }
  @inlinable @inline(__always) static var mainQueue: ContextRef { ContextRef(constant: 16) }
  @inline(__always) private static var lastConstant: UInt { 16 }

  enum Kind {
    case shared, immediate, mainImmediate
    case queue(Unmanaged<QueueRef>)
    case other(Unmanaged<Box>)
  }

  @inline(__always) var kind: Kind {
    switch UInt(bitPattern: word) {
    case 4: .shared
    case 8: .immediate
    case 12: .mainImmediate
    case 16: .other(.passUnretained(Self.mainBox))
    case let bits where bits & 1 != 0: .queue(.fromOpaque(word - 1))
    default: .other(.fromOpaque(word))
    }
  }

  /// What is counted; `nil` for the constants.
  @inline(__always) var holder: Unmanaged<Holder>? {
    let bits = UInt(bitPattern: word)
    guard bits > Self.lastConstant else { return nil }
    return .fromOpaque(UnsafeRawPointer(bitPattern: bits & ~1).unsafelyUnwrapped)
  }

  /// The same with a reference of its own.
  @inline(__always)
  func retained() -> ContextRef {
    if let holder { _ = holder.retain() }
    return self
  }

  @inline(__always)
  func release() { holder?.release() }

  /// What contexts are held by.
  @usableFromInline
  class Holder: @unchecked Sendable {
    @inlinable init() {}
  }

  /// A context of a type that we do not know.
  @usableFromInline
  final class Box: Holder, @unchecked Sendable {
    @usableFromInline let context: any ExecutionContext

    @inlinable
    init<Context: ExecutionContext>(_ context: Context) { self.context = context }
  }

  /// `nil` for a context that says no more than "the default". Where the type is known when the caller is compiled,
  /// none of these questions is left.
  @inlinable @inline(__always)
  init?<Context: ExecutionContext>(_ context: Context) {
    if Context.self == ImmediateContext.self {
      self = .immediate
    } else if Context.self == DefaultContext.self {
      self = .shared
    } else if !Self.isKnown(Context.self) {
      self.init(box: .passRetained(Box(context)))
    } else if let made = Self.ofKnown(context) {
      self = made
    } else {
      return nil
    }
  }

  /// Types are compared, and no instance is cast: a cast that fails looks for what the instance might be bridged from, and there
  /// counts up and down what all threads share.
  @inlinable @inline(__always)
  static func isKnown<Context: ExecutionContext>(_: Context.Type) -> Bool {
    Context.self == MainImmediateContext.self || Context.self == InheritedContext.self
      || Context.self == CurrentContext.self || Context.self is DispatchQueue.Type
  }

  /// A context of a type that `isKnown`.
  @usableFromInline
  static func ofKnown<Context: ExecutionContext>(_ context: Context) -> ContextRef? {
    if Context.self == MainImmediateContext.self { return .mainImmediate }
    if Context.self == InheritedContext.self { return nil }
    if Context.self == CurrentContext.self {
      return (context as! CurrentContext).running.map { $0.reference.retained() }
    }
    return .ofQueue(queue(context))
  }

  /// The same instance, which the caller knows to be a queue.
  static func queue<Context: ExecutionContext>(_ context: Context) -> DispatchQueue {
    Unmanaged.fromOpaque(unsafeBitCast(context, to: UnsafeRawPointer.self)).takeUnretainedValue()
  }

  static func isClass<Context>(_: Context.Type) -> Bool { Context.self is AnyObject.Type }

  static let mainBox = Box(QueueMark.main)

  @inline(__always) var isPrivate: Bool { word == Self.shared.word }

  /// Whether a handler that is handed over here and now runs in place.
  @inline(__always) var isImmediate: Bool {
    word == Self.immediate.word || word == Self.mainImmediate.word && MainImmediateContext.isOnMainQueue
  }
}

/// A context of which each copy is counted by the compiler.
struct HeldContext: Sendable {
  let reference: ContextRef
  private let holder: ContextRef.Holder?

  /// Takes a reference over.
  init(_ reference: ContextRef) {
    self.reference = reference
    holder = reference.holder?.takeRetainedValue()
  }
}
