// `Duration` beside seconds. The overloads that take it are disfavoured, so that `.zero` is not ambiguous.

extension Duration {
  /// In seconds, as contexts and clocks count.
  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
