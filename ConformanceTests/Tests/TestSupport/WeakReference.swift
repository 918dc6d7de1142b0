import DynamicPromise

/// A weak reference. A promise may outlive its object, so it is asked for in another way.
public final class WeakReference<Object: AnyObject>: @unchecked Sendable {
  private weak var reference: Object?
  private let promise: WeakPromise?
  /// The object, or the promise, while it exists.
  public var object: Object? { promise.map { $0.value as? Object } ?? reference }

  /// Refers to `object`.
  public init(_ object: Object) {
    reference = object
    promise = (object as? Promise).map { WeakPromise($0) }
  }
}
