// `spread`: several inputs for one handler, like bluebird's `spread`.

extension Promise {
  /// Calls `handler` with the parts of the value, each with the type of its parameter. Use it for the values
  /// of `all`.
  ///
  ///     Promise.all(user, count).spread { (user: User, count: Int) in ... }
  ///
  /// The parts are the elements of an array or of a tuple. Any other value is one part; `()` has none. If a
  /// part has another type, or the number of parts is wrong, the handler is not called, and the new promise
  /// is rejected with ``PromiseError/typeMismatch(expected:found:index:at:)``. For a missing part, its
  /// `found` is `Never`; for an extra part, its `expected` is `Never`. Otherwise like `then`.
  @discardableResult
  public func spread<each Part, T>(
    on context: (any ExecutionContext)? = nil,
    _ handler: @escaping @Sendable (repeat each Part) throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    let place = Promise.Origin.whenDebugging(fileID, line)
    let handler = Handler(.value) { value, _ in
      var parts = Parts(of: value, for: place)
      let inputs = (repeat try parts.next(as: (each Part).self))
      try parts.end()
      return .of(try handler(repeat each inputs))
    }
    return add(handler, on: ContextRef(context))
  }

  /// Like `spread` with a synchronous handler, but the handler runs in a Swift task.
  @discardableResult
  public func spread<each Part, T>(
    on context: (any ExecutionContext)? = nil,
    _ handler: @escaping @Sendable (repeat each Part) async throws -> T,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    let place = Promise.Origin.whenDebugging(fileID, line)
    let handler = Handler(.value) { value, _ in
      var parts = Parts(of: value, for: place)
      let inputs = UncheckedBox((repeat try parts.next(as: (each Part).self)))
      try parts.end()
      return .task(Promise { try await handler(repeat each inputs.value) })
    }
    return add(handler, on: ContextRef(context))
  }
}

/// The parts of a value.
package struct Parts {
  private let all: [Any]
  private var index = 0
  /// The line of the handler, in debug builds.
  private let place: Promise.Origin?

  package init(of value: Any, for place: Promise.Origin?) {
    self.place = place
    guard let value = Resolution.unwrapped(value) else {
      all = [value]
      return
    }
    if let elements = value as? [Any] {
      all = elements
    } else {
      let mirror = Mirror(reflecting: value)
      all = mirror.displayStyle == .tuple ? mirror.children.map(\.value) : [value]
    }
  }

  package mutating func next<Part>(as type: Part.Type) throws -> Part {
    defer { index += 1 }
    guard all.indices.contains(index) else { throw mismatch(Part.self, Never.self) }
    do { return try Wrap.cast(all[index]) } catch {
      throw PromiseError.mismatch(all[index], expected: Part.self, index: index, at: place)
    }
  }

  /// Throws if there is a further part.
  package func end() throws {
    if all.indices.contains(index) { throw mismatch(Never.self, type(of: all[index])) }
  }

  private func mismatch(_ expected: Any.Type, _ found: Any.Type) -> PromiseError {
    .typeMismatch(expected: expected, found: found, index: .init(integerLiteral: index), at: place)
  }
}
