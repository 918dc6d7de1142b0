import Foundation

/// The progress of a transfer.
public struct TransferProgress: Sendable, Equatable {
  /// The bytes of the body that an upload has sent, or that a download or data transfer has received.
  public let completed: Int64
  /// The total number of bytes, if it is known.
  public let total: Int64?

  /// The completed fraction, from 0 to 1; `nil` if the total is unknown. A compressed body may become
  /// longer than its total; the fraction is then 1.
  public var fraction: Double? {
    guard let total else { return nil }
    return total > 0 ? min(1, Double(completed) / Double(total)) : 1
  }
}

/// The progress of one transfer of a `URLSession`: with a callback, as an asynchronous sequence, or as
/// ``latest``.
///
/// A meter is passed to a transfer (`progress:`). The transfer updates it as pieces of the body are sent or
/// received, in order, one at a time; the numbers only increase. A meter does not affect the transfer, and
/// nothing has to read it. Use a new meter for each transfer, because the sequences end with the transfer.
public final class TransferMeter: AsyncSequence, Sendable {
  /// The progress of the transfer.
  public typealias Element = TransferProgress
  /// The sequence never fails. Only the promise reports an error.
  public typealias Failure = Never
  /// Delivers the progress.
  public typealias AsyncIterator = AsyncStream<TransferProgress>.Iterator

  private struct State {
    var latest: TransferProgress?
    var hasEnded = false
    var next = 0
    var readers: [Int: AsyncStream<TransferProgress>.Continuation] = [:]
  }

  private let state = Locked(State())
  private let onProgress: (@Sendable (TransferProgress) -> Void)?

  /// A meter without a callback.
  public init() { onProgress = nil }

  /// A meter that calls `onProgress` for each piece of the body, on the session's delegate queue, before the
  /// promise is settled. After a cancel no further call begins, but a call may still be running.
  public init(_ onProgress: @escaping @Sendable (TransferProgress) -> Void) { self.onProgress = onProgress }

  /// The newest progress; `nil` before the first piece of the body.
  public var latest: TransferProgress? { state.with { $0.latest } }

  /// The sequence begins with the last progress, and ends with the transfer, whatever its outcome. A slow
  /// reader skips to the newest progress. Several readers are allowed.
  public func makeAsyncIterator() -> AsyncIterator {
    let (stream, reader) = AsyncStream.makeStream(
      of: TransferProgress.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.with { state -> Int? in
      if let latest = state.latest { reader.yield(latest) }
      if state.hasEnded { return nil }
      state.next += 1
      state.readers[state.next] = reader
      return state.next
    }
    if let number {
      reader.onTermination = { [weak self] _ in
        let former = self?.state.with { $0.readers.removeValue(forKey: number) }
        withExtendedLifetime(former) {}
      }
    } else {
      reader.finish()
    }
    return stream.makeAsyncIterator()
  }

  func report(_ progress: TransferProgress) {
    let readers = state.with { state -> [AsyncStream<TransferProgress>.Continuation]? in
      if state.hasEnded || progress.completed <= state.latest?.completed ?? -1 { return nil }
      state.latest = progress
      return Array(state.readers.values)
    }
    guard let readers else { return }
    for reader in readers { reader.yield(progress) }
    onProgress?(progress)
  }

  func end() {
    let readers = state.with { state in
      state.hasEnded = true
      defer { state.readers = [:] }
      return state.readers.values
    }
    for reader in readers { reader.finish() }
  }
}
