// Steps for the elements of a value that is a sequence. Closures run on `queue`, one element after the other;
// an error that a closure throws rejects the new promise. See Steps.swift.

public import Dispatch
import DynamicPromise

extension Thenable where T: Sequence {
  /// Fulfilled with the results of `transform` for each element, in order.
  public func mapValues<U>(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ transform: @escaping (T.Element) throws -> U
  ) -> Promise<[U]> { map(on: queue, flags: flags) { try $0.map(transform) } }

  /// Fulfilled with the elements of all sequences that `transform` returns, in order.
  public func flatMapValues<U: Sequence>(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ transform: @escaping (T.Element) throws -> U
  ) -> Promise<[U.Element]> { map(on: queue, flags: flags) { try $0.flatMap(transform) } }

  /// Fulfilled with the results of `transform` for each element, without `nil` results.
  public func compactMapValues<U>(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ transform: @escaping (T.Element) throws -> U?
  ) -> Promise<[U]> { map(on: queue, flags: flags) { try $0.compactMap(transform) } }

  /// Fulfilled with the elements for which `isIncluded` returns `true`.
  public func filterValues(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ isIncluded: @escaping (T.Element) throws -> Bool
  ) -> Promise<[T.Element]> { map(on: queue, flags: flags) { try $0.filter(isIncluded) } }

  /// Calls `transform` with each element, and waits for the promises that it returns. Fulfilled with their
  /// values in order, or rejected with the first reason.
  public func thenMap<U: Thenable>(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ transform: @escaping (T.Element) throws -> U
  ) -> Promise<[U.T]> { then(on: queue, flags: flags) { when(fulfilled: try $0.map(transform)) } }

  /// Like `thenMap`, but for promises of sequences. Fulfilled with the elements of all sequences, in order.
  public func thenFlatMap<U: Thenable>(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    _ transform: @escaping (T.Element) throws -> U
  ) -> Promise<[U.T.Element]> where U.T: Sequence {
    thenMap(on: queue, flags: flags, transform).map(on: nil) { $0.flatMap { $0 } }
  }

  /// Fulfilled with the first element for which `test` returns `true`; rejected with
  /// ``PMKError/emptySequence`` if no element passes the test.
  public func firstValue(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil,
    where test: @escaping (T.Element) throws -> Bool
  ) -> Promise<T.Element> {
    map(on: queue, flags: flags) { elements in
      guard let first = try elements.first(where: test) else { throw PMKError.emptySequence }
      return first
    }
  }

  /// Fulfilled with the first element; rejected with ``PMKError/emptySequence`` for an empty sequence.
  public var firstValue: Promise<T.Element> { firstValue(on: nil) { _ in true } }

  /// Fulfilled with the last element; rejected with ``PMKError/emptySequence`` for an empty sequence.
  public var lastValue: Promise<T.Element> {
    map(on: nil) { elements in
      guard let last = Array(elements).last else { throw PMKError.emptySequence }
      return last
    }
  }

  /// Fulfilled with the elements in ascending order.
  public func sortedValues(
    on queue: DispatchQueue? = conf.Q.map, flags: DispatchWorkItemFlags? = nil
  ) -> Promise<[T.Element]> where T.Element: Comparable { map(on: queue, flags: flags) { $0.sorted() } }
}
