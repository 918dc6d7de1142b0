// `Duration` beside seconds. Each function that takes it is the disfavoured one of two, so that `.zero` is no
// riddle.

extension Duration {
  /// As contexts and clocks count.
  package var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
