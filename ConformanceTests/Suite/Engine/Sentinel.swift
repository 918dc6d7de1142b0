/// A value with an identity.
final class Sentinel: Sendable, CustomStringConvertible {
  let description: String

  init(_ name: String) { description = "‘\(name)’" }
}

/// A reason with an identity.
final class SentinelError: Error, CustomStringConvertible {
  let description: String

  init(_ name: String) { description = "error ‘\(name)’" }
}

/// The text of a value in messages.
func describe(_ value: Any) -> String {
  switch value as? Settlement {
  case .fulfilled(let value)?: return "the value \(describe(value))"
  case .rejected(let reason)?: return "the reason \(describe(reason))"
  case nil: break
  }
  if let subject = value as? Subject { return "a promise (\(type(of: subject.raw)))" }
  return SafeText.line(String(reflecting: export(value)))
}
