// `Duration` as an alternative to seconds. The overloads with a `Duration` are disfavored, so that `.zero` is
// not ambiguous.

extension Duration {
  /// The duration in seconds, the unit of contexts and clocks.
  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
