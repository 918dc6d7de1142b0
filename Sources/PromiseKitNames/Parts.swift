import DynamicPromise

/// The inputs of a closure, extracted from one value in order.
///
/// A single parameter receives the value itself. Several parameters receive the elements of a tuple, or of an
/// array such as the value of `all`.
struct Parts {
  private var rest: ArraySlice<Any>

  /// Throws if the value does not have one part for each parameter.
  init<each V>(of value: Any, for inputs: repeat (each V).Type) throws {
    var count = 0
    for _ in repeat each inputs { count += 1 }
    switch count {
    case 0: rest = []
    case 1: rest = [value]
    default:
      rest = Self.elements(of: value)[...]
      if rest.count != count {
        throw PromiseError.typeMismatch(expected: (repeat each V).self, found: type(of: value))
      }
    }
  }

  /// The next part; throws `typeMismatch` if it is not a `V`.
  mutating func next<V>(as type: V.Type) throws -> V { try cast(rest.removeFirst()) }

  private static func elements(of value: Any) -> [Any] {
    if let elements = value as? [Any] { return elements }
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .tuple ? mirror.children.map(\.value) : [value]
  }
}

/// The value as a `V`.
func cast<V>(_ value: Any, to type: V.Type = V.self) throws -> V {
  guard let cast = value as? V else { throw PromiseError.mismatch(value, expected: V.self) }
  return cast
}

/// Converts a closure with any number of inputs to a closure with a single input.
func onParts<each V, T>(_ body: @escaping @Sendable (repeat each V) throws -> T)
  -> @Sendable (Any) throws -> T
{
  { value in
    var parts = try Parts(of: value, for: repeat (each V).self)
    return try body(repeat try parts.next(as: (each V).self))
  }
}

/// The elements of a value that is a sequence.
func elements(_ value: Any) throws -> [Any] {
  if let array = value as? [Any] { return array }
  return Array(erasing: try cast(value, to: (any Sequence).self))
}

extension [Any] {
  fileprivate init(erasing sequence: some Sequence) { self = sequence.map { $0 } }
}
