/// Substitutes for abilities that an implementation lacks, in cases that do not test these abilities.
///
/// A case that tests an absent handler needs ``Capabilities/absentHandlers``, and does not run without it.
/// All other cases leave out handlers or return irrelevant values only for brevity.
enum Substitutes {
  /// A fulfillment handler with the effect that 2.2.7.3 requires if the handler is absent.
  static let passing: Handler = { $0 }

  /// A rejection handler with the effect that 2.2.7.4 requires if the handler is absent.
  static func rethrowing(_ makeError: @escaping @Sendable (Any) -> any Error) -> Handler {
    { received in throw received as? any Error ?? makeError(received) }
  }

  /// The result of a handler whose result type requires an object.
  static let nothingOfInterest = Sentinel("nothing of interest")
}
