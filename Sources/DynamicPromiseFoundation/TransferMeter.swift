import Foundation

/// How far a transfer has come.
public struct TransferProgress: Sendable, Equatable {
  /// Bytes sent by an upload, received by a download or a data transfer; of the body alone.
  public let completed: Int64
  /// How many bytes there will be, if that is known.
  public let total: Int64?

  /// The part that is done, from 0 to 1; `nil` where the total is not known. What is unpacked on its way
  /// counts as it arrives here, so the part is cut off at 1.
  public var fraction: Double? {
    guard let total else { return nil }
    return total > 0 ? min(1, Double(completed) / Double(total)) : 1
  }
}

/// What one transfer of a `URLSession` shows of its progress: as a callback, as an asynchronous sequence, and
/// on request.
///
/// Given to a transfer (`progress:`), it is told as pieces of the body come or go, in order, one at a time;
/// no number is told twice or goes back. It cancels nothing, and nobody has to look at it. It belongs to one
/// transfer: a second one would find its sequences ended.
public final class TransferMeter: AsyncSequence, Sendable {
  /// How far the transfer has come.
  public typealias Element = TransferProgress
  /// The outcome is the promise's matter.
  public typealias Failure = Never
  /// Delivers the progress as it is.
  public typealias AsyncIterator = AsyncStream<TransferProgress>.Iterator

  private struct State {
    var latest: TransferProgress?
    var hasEnded = false
    var next = 0
    var readers: [Int: AsyncStream<TransferProgress>.Continuation] = [:]
  }

  private let state = Locked(State())
  private let onProgress: (@Sendable (TransferProgress) -> Void)?

  /// A meter to be read.
  public init() { onProgress = nil }

  /// A meter that calls `onProgress` for each piece, on the session's delegate queue, before the promise is
  /// settled. A cancelled transfer makes no further calls, but for one that is being made.
  public init(_ onProgress: @escaping @Sendable (TransferProgress) -> Void) { self.onProgress = onProgress }

  /// What was told last; `nil` before the first piece.
  public var latest: TransferProgress? { state.with { $0.latest } }

  /// Begins with what was told last, and ends with the transfer, however that ends. Who reads slowly gets the
  /// newest and misses what came between. Several may read.
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
