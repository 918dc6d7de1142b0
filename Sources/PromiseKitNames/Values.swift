// Steps for the elements of a value that is a sequence. A value that is not a sequence rejects with
// `PromiseError.typeMismatch`; in PromiseKit such code does not compile. The elements of a dictionary are
// pairs.

public import DynamicPromise

extension Future {
  /// Fulfilled with the results of `transform` for each element, in order. `transform` runs on `context` or
  /// the default context. A promise that `transform` returns is not awaited, as in PromiseKit; see `thenMap`.
  public final func mapValues<T>(
    on context: (any ExecutionContext)? = nil, _ transform: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    thenOn(context) { try elements($0).map(transform) }
  }

  /// Like `mapValues` with untyped elements, but `transform` has typed inputs: the element, or the parts of
  /// an element that is a tuple or an array.
  @_disfavoredOverload
  public final func mapValues<each V, T>(
    on context: (any ExecutionContext)? = nil, _ transform: @escaping @Sendable (repeat each V) throws -> T
  ) -> Promise {
    mapValues(on: context, onParts(transform))
  }

  /// Fulfilled with the elements of all sequences that `transform` returns for the elements, in order.
  public final func flatMapValues<T>(
    on context: (any ExecutionContext)? = nil, _ transform: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    thenOn(context) { try elements($0).flatMap { try elements(try transform($0)) } }
  }

  /// Like `flatMapValues` with untyped elements, but `transform` has typed inputs: the element, or the parts
  /// of an element that is a tuple or an array.
  @_disfavoredOverload
  public final func flatMapValues<each V, T>(
    on context: (any ExecutionContext)? = nil, _ transform: @escaping @Sendable (repeat each V) throws -> T
  ) -> Promise {
    flatMapValues(on: context, onParts(transform))
  }

  /// Fulfilled with the results of `transform` for each element, in order, without `nil` results.
  public final func compactMapValues<T>(
    on context: (any ExecutionContext)? = nil, _ transform: @escaping @Sendable (Any) throws -> T?
  ) -> Promise {
    thenOn(context) { try elements($0).compactMap(transform) }
  }

  /// Like `compactMapValues` with untyped elements, but `transform` has typed inputs: the element, or the
  /// parts of an element that is a tuple or an array.
  @_disfavoredOverload
  public final func compactMapValues<each V, T>(
    on context: (any ExecutionContext)? = nil, _ transform: @escaping @Sendable (repeat each V) throws -> T?
  ) -> Promise {
    compactMapValues(on: context, onParts(transform))
  }

  /// Fulfilled with the elements for which `isIncluded` returns `true`. If `isIncluded` throws, the new
  /// promise is rejected.
  public final func filterValues(
    on context: (any ExecutionContext)? = nil, _ isIncluded: @escaping @Sendable (Any) throws -> Bool
  ) -> Promise {
    thenOn(context) { try elements($0).filter(isIncluded) }
  }

  /// Like `filterValues` with untyped elements, but `isIncluded` has typed inputs: the element, or the parts
  /// of an element that is a tuple or an array.
  @_disfavoredOverload
  public final func filterValues<each V>(
    on context: (any ExecutionContext)? = nil,
    _ isIncluded: @escaping @Sendable (repeat each V) throws -> Bool
  ) -> Promise {
    filterValues(on: context, onParts(isIncluded))
  }

  /// Calls `transform` with each element, then waits for all promises that it returned. Fulfilled with their
  /// values in order, or rejected with the first reason.
  ///
  /// After a rejection, or when the new promise is cancelled, the pending promises are cancelled unless they
  /// have other consumers. In PromiseKit they continue.
  public final func thenMap<T>(
    on context: (any ExecutionContext)? = nil, _ transform: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    thenOn(context) { Promise.all(try elements($0).map(transform), cancellingInputs: true) }
  }

  /// Like `thenMap` with untyped elements, but `transform` has typed inputs: the element, or the parts of an
  /// element that is a tuple or an array.
  @_disfavoredOverload
  public final func thenMap<each V, T>(
    on context: (any ExecutionContext)? = nil, _ transform: @escaping @Sendable (repeat each V) throws -> T
  ) -> Promise {
    thenMap(on: context, onParts(transform))
  }

  /// Like `thenMap`, but for promises of sequences. Fulfilled with the elements of all sequences, in order.
  public final func thenFlatMap<T>(
    on context: (any ExecutionContext)? = nil, _ transform: @escaping @Sendable (Any) throws -> T
  ) -> Promise {
    thenOn(context) { value in
      let parts = Promise.all(try elements(value).map(transform), cancellingInputs: true)
      return parts.then { (parts: [Any]) in try parts.flatMap { try elements($0) } }
    }
  }

  /// Like `thenFlatMap` with untyped elements, but `transform` has typed inputs: the element, or the parts of
  /// an element that is a tuple or an array.
  @_disfavoredOverload
  public final func thenFlatMap<each V, T>(
    on context: (any ExecutionContext)? = nil, _ transform: @escaping @Sendable (repeat each V) throws -> T
  ) -> Promise {
    thenFlatMap(on: context, onParts(transform))
  }

  /// Fulfilled with the first element; rejected with ``PMKError/emptySequence`` for an empty sequence.
  public final var firstValue: Promise { firstValue { _ in true } }

  /// Fulfilled with the first element for which `test` returns `true`; rejected with
  /// ``PMKError/emptySequence`` if no element passes the test. `test` runs on `context` or the default
  /// context; if `test` throws, the new promise is rejected.
  public final func firstValue(
    on context: (any ExecutionContext)? = nil, where test: @escaping @Sendable (Any) throws -> Bool
  ) -> Promise {
    thenOn(context) { value in
      guard let first = try elements(value).first(where: test) else { throw PMKError.emptySequence }
      // The element is the value, even if the element is an error or a promise.
      return Promise.value(first)
    }
  }

  /// Like `firstValue` with untyped elements, but `test` has typed inputs: the element, or the parts of an
  /// element that is a tuple or an array.
  @_disfavoredOverload
  public final func firstValue<each V>(
    on context: (any ExecutionContext)? = nil,
    where test: @escaping @Sendable (repeat each V) throws -> Bool
  ) -> Promise {
    firstValue(on: context, where: onParts(test))
  }

  /// Fulfilled with the last element; rejected with ``PMKError/emptySequence`` for an empty sequence.
  public final var lastValue: Promise {
    then { value in
      guard let last = try elements(value).last else { throw PMKError.emptySequence }
      return Promise.value(last)
    }
  }

  /// Fulfilled with the elements in ascending order. If the elements are not `Comparable`, or differ in type,
  /// the new promise is rejected with `PromiseError.typeMismatch`.
  public final func sortedValues(on context: (any ExecutionContext)? = nil) -> Promise {
    thenOn(context) { value in
      let elements = try elements(value)
      guard let first = elements.first else { return [Any]() }
      return try sorted(elements, like: cast(first, to: (any Comparable).self))
    }
  }
}

private func sorted<Element: Comparable>(_ elements: [Any], like _: Element) throws -> [Any] {
  try elements.map { try cast($0, to: Element.self) }.sorted()
}
