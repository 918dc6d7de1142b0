/// Substitutes for missing abilities of an implementation, in cases that are not about them.
///
/// A case that *is* about an absent handler needs ``Capabilities/absentHandlers``, and is not run without
/// it. All other cases leave handlers out, or return irrelevant values, only for brevity.
enum Substitutes {
  /// A fulfillment handler that passes the value on, as 2.2.7.3 requires of an absent one.
  static let passing: Handler = { $0 }

  /// A rejection handler that passes the reason on, as 2.2.7.4 requires of an absent one.
  static func rethrowing(_ makeError: @escaping @Sendable (Any) -> any Error) -> Handler {
    { received in throw received as? any Error ?? makeError(received) }
  }

  /// A handler's result if its type requires an object.
  static let nothingOfInterest = Sentinel("nothing of interest")
}
