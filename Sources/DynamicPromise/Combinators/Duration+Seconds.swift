// `Duration` as an alternative to seconds. Its overloads are disfavored, so that `.zero` is not ambiguous.

extension Duration {
  /// In seconds, as contexts and clocks count.
  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
