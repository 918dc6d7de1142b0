// Steps for the elements of a guarantee's value, as in Values.swift, with closures that do not throw.

public import Dispatch
import DynamicPromise

extension Guarantee where T: Sequence {
  /// Fulfilled with the results of `transform` for each element, in order.
  public func mapValues<U>(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ transform: @escaping (T.Element) -> U
  ) -> Guarantee<[U]> { map(on: queue, flags: flags) { $0.map(transform) } }

  /// Fulfilled with the elements of all sequences that `transform` returns, in order.
  public func flatMapValues<U: Sequence>(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ transform: @escaping (T.Element) -> U
  ) -> Guarantee<[U.Element]> { map(on: queue, flags: flags) { $0.flatMap(transform) } }

  /// Fulfilled with the results of `transform` for each element, without `nil` results.
  public func compactMapValues<U>(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ transform: @escaping (T.Element) -> U?
  ) -> Guarantee<[U]> { map(on: queue, flags: flags) { $0.compactMap(transform) } }

  /// Fulfilled with the elements for which `isIncluded` returns `true`.
  public func filterValues(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ isIncluded: @escaping (T.Element) -> Bool
  ) -> Guarantee<[T.Element]> { map(on: queue, flags: flags) { $0.filter(isIncluded) } }

  /// Calls `transform` with each element, and waits for the guarantees that it returns. Fulfilled with their
  /// values in order.
  public func thenMap<U>(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ transform: @escaping (T.Element) -> Guarantee<U>
  ) -> Guarantee<[U]> { then(on: queue, flags: flags) { when(guarantees: $0.map(transform)) } }

  /// Like `thenMap`, but for guarantees of sequences. Fulfilled with the elements of all sequences, in order.
  public func thenFlatMap<U: Sequence>(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ transform: @escaping (T.Element) -> Guarantee<U>
  ) -> Guarantee<[U.Element]> {
    thenMap(on: queue, flags: flags, transform).map(on: nil) { $0.flatMap { $0 } }
  }

  /// Fulfilled with the elements in the order of `areInIncreasingOrder`.
  public func sortedValues(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ areInIncreasingOrder: @escaping (T.Element, T.Element) -> Bool
  ) -> Guarantee<[T.Element]> { map(on: queue, flags: flags) { $0.sorted(by: areInIncreasingOrder) } }

  /// Fulfilled with the elements in ascending order.
  public func sortedValues(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil
  ) -> Guarantee<[T.Element]> where T.Element: Comparable { map(on: queue, flags: flags) { $0.sorted() } }
}
