// `Duration` as an alternative to seconds. Its overloads are disfavored, so that `.zero` is not ambiguous.

extension Duration {
  /// The duration in seconds, the unit of contexts and clocks.
  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
