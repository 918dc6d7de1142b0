/// Replacements for what an implementation cannot express, in cases that are not about it.
///
/// A case that *is* about an absent handler says that it needs ``Capabilities/absentHandlers``, and is not
/// run without. All others leave handlers out, and return nothing of interest, merely for brevity.
enum Substitutes {
  /// A fulfillment handler that passes the value on, as 2.2.7.3 wants of an absent one.
  static let passing: Handler = { $0 }

  /// A rejection handler that passes the reason on, as 2.2.7.4 wants of an absent one.
  static func rethrowing(_ makeError: @escaping @Sendable (Any) -> any Error) -> Handler {
    { received in throw received as? any Error ?? makeError(received) }
  }

  /// What a handler returns where its type wants an object.
  static let nothingOfInterest = Sentinel("nothing of interest")
}
