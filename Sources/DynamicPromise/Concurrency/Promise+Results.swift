// `for await result in Promise.results(of: inputs)`: outcomes in the order of completion.

extension Promise {
  /// The outcomes of `inputs`, in the order in which they settle; those that are settled at the call come
  /// first, in the order of `inputs`. Inputs are those of `all`. No input is cancelled: see ``Results``.
  public static func results<Inputs: Sequence>(of inputs: Inputs) -> Results {
    Results(
      ResultsBuffer(
        of: inputs.map {
          if case .promise(let promise) = Resolution(erased($0)) { promise } else { .resolved(erased($0)) }
        }))
  }

  /// An asynchronous sequence of outcomes, to be iterated once; each outcome is delivered once. It retains
  /// its pending inputs. It ends after the last outcome, when an iterating task is cancelled (for all
  /// iterating tasks), or when its iterator is freed. Inputs are never cancelled.
  public struct Results: AsyncSequence, Sendable {
    /// The outcome of an input.
    public typealias Element = Result<Any, any Error>
    /// The sequence itself never fails: rejections are elements.
    public typealias Failure = Never

    private let lease: ResultsLease

    fileprivate init(_ buffer: ResultsBuffer) { lease = ResultsLease(buffer, isIterator: false) }

    /// The iterator. Several iterators share the remaining outcomes.
    public func makeAsyncIterator() -> Iterator {
      Iterator(lease: ResultsLease(lease.buffer, isIterator: true))
    }

    /// Delivers outcomes in the order of completion.
    public struct Iterator: AsyncIteratorProtocol {
      /// The sequence itself never fails: rejections are elements.
      public typealias Failure = Never

      fileprivate let lease: ResultsLease

      /// The next outcome. `nil` if no outcome is left, or if the task was cancelled.
      public mutating func next(isolation: isolated (any Actor)?) async -> Element? {
        await lease.buffer.next(isolation: isolation).value
      }

      /// Written out for Swift 6.0; later compilers derive this method.
      public mutating func next() async -> Element? { await next(isolation: nil) }
    }
  }
}

/// An iterator is not Sendable, because only the iterating task may use it.
@available(*, unavailable)
extension Promise.Results.Iterator: Sendable {}

/// Notifies the buffer at the end of the iteration.
private final class ResultsLease: Sendable {
  let buffer: ResultsBuffer
  private let isIterator: Bool

  init(_ buffer: ResultsBuffer, isIterator: Bool) {
    self.buffer = buffer
    self.isIterator = isIterator
    if isIterator { buffer.retainIterator() }
  }

  deinit {
    if isIterator { buffer.releaseIterator() } else { buffer.releaseSequence() }
  }
}
