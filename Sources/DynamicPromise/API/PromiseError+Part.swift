// Finds the part of a value that has the wrong type, after a failed cast.

extension PromiseError {
  /// The part of a value that has the wrong type, for ``typeMismatch(expected:found:index:at:)``.
  public struct Part: Sendable, Equatable, ExpressibleByIntegerLiteral {
    /// The index of the wrong part, for a handler with several parameters (`spread`).
    public let number: Int?
    /// The first wrong element of an array or dictionary, as text: `element 2 is String`.
    public let element: String?

    init?(_ number: Int?, _ element: String?) {
      guard number != nil || element != nil else { return nil }
      self.number = number
      self.element = element
    }

    /// The part with this index.
    public init(integerLiteral number: Int) {
      self.number = number
      element = nil
    }
  }

  /// The error of a failed cast. May call the `description` of a dictionary's key.
  package static func mismatch(
    _ value: Any, expected: Any.Type, index: Int? = nil, at place: Promise.Origin? = nil
  ) -> PromiseError {
    let element = (expected as? any CollectionType.Type)?.mismatch(in: value)
    return .typeMismatch(expected: expected, found: type(of: value), index: Part(index, element), at: place)
  }
}

/// A collection whose elements are cast one by one.
private protocol CollectionType {
  /// The first element of `value` that has another type, as text.
  static func mismatch(in value: Any) -> String?
}

/// A text such as `element 2 is String`. The first wrong element in it is appended.
private func text<Element>(_ name: String, _ element: Any, as type: Element.Type) -> String {
  let inner = (type as? any CollectionType.Type)?.mismatch(in: element)
  return "\(name) is \(PromiseError.name(of: Swift.type(of: element)))" + (inner.map { " (\($0))" } ?? "")
}

extension Array: CollectionType {
  fileprivate static func mismatch(in value: Any) -> String? {
    guard let elements = value as? [Any], let index = elements.firstIndex(where: { !($0 is Element) })
    else { return nil }
    return text("element \(index)", elements[index], as: Element.self)
  }
}

extension Dictionary: CollectionType {
  private static func name(_ key: AnyHashable) -> String {
    oneLine(String(reflecting: key.base), limit: 100)
  }

  fileprivate static func mismatch(in value: Any) -> String? {
    for (key, value) in value as? [AnyHashable: Any] ?? [:] {
      if !(key.base is Key) { return text("the key \(name(key))", key.base, as: Key.self) }
      if !(value is Value) {
        return text("the value of \(name(key))", value, as: Value.self)
      }
    }
    return nil
  }
}
