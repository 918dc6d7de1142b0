/// Whether `a` and `b` are the same, as far as Swift can tell. References must be one instance, and
/// `Equatable` values must be equal. Other values must have the same type and the same parts.
func isSame(_ a: Any, _ b: Any) -> Bool {
  isSame(export(a), export(b), depth: 4)
}

private func isSame(_ a: Any, _ b: Any, depth: Int) -> Bool {
  let (a, b) = (unwrapped(a), unwrapped(b))
  guard let a, let b else { return a == nil && b == nil }
  if type(of: a) is AnyClass || type(of: b) is AnyClass {
    guard let a = object(a), let b = object(b) else { return false }
    return a === b
  }
  guard type(of: a) == type(of: b) else { return false }
  if let a = a as? any Equatable { return isEqual(a, b) }
  let (parts, others) = (Mirror(reflecting: a).children, Mirror(reflecting: b).children)
  guard parts.count == others.count else { return false }
  // Values without parts, such as enum cases without a payload, are compared as text. Functions have no parts
  // either, and cannot be compared.
  if parts.isEmpty || depth == 0 { return "\(a)" == "\(b)" }
  return zip(parts, others).allSatisfy { isSame($0.value, $1.value, depth: depth - 1) }
}

/// The class instance in `x`, or `nil`. `as AnyObject` would put a thrown error in a new box each time; a
/// cast to its class does not.
package func object(_ x: Any) -> AnyObject? {
  (type(of: x) as? AnyClass).flatMap { object(x, as: $0) }
}

private func object<T: AnyObject>(_ x: Any, as type: T.Type) -> AnyObject? { x as? T }

/// The value inside any number of optionals; `nil` if there is no value.
private func unwrapped(_ x: Any) -> Any? {
  let mirror = Mirror(reflecting: x)
  guard mirror.displayStyle == .optional else { return .some(x) }
  return mirror.children.first.flatMap { unwrapped($0.value) }
}

private func isEqual<T: Equatable>(_ a: T, _ b: Any) -> Bool { a == (b as? T) }
