import Dispatch

/// A serial queue that recognizes its own jobs.
public struct MarkedQueue: Sendable {
  /// The queue.
  public let queue: DispatchQueue
  private let key = DispatchSpecificKey<Bool>()

  /// Makes a new queue.
  public init(_ label: String = "marked") {
    queue = DispatchQueue(label: label)
    queue.setSpecific(key: key, value: true)
  }

  /// Whether the caller runs on the queue.
  public var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
