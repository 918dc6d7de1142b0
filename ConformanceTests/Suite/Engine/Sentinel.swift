/// A value that is known by its identity.
final class Sentinel: Sendable, CustomStringConvertible {
  let description: String

  init(_ name: String) { description = "‘\(name)’" }
}

/// A reason that is known by its identity.
final class SentinelError: Error, CustomStringConvertible {
  let description: String

  init(_ name: String) { description = "error ‘\(name)’" }
}

/// How messages show a value.
func describe(_ value: Any) -> String {
  if let subject = value as? Subject { return "a promise (\(type(of: subject.raw)))" }
  return String(reflecting: export(value))
}
