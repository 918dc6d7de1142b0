/// The figures of all rounds for one quantity.
package struct Sample: Sendable {
  package private(set) var figures: [Double]

  package init(_ figures: [Double] = []) { self.figures = figures }

  package mutating func add(_ figure: Double) { figures.append(figure) }

  /// The middle figure, or the mean of the two middle figures. `nil` without figures.
  package var median: Double? {
    guard !figures.isEmpty else { return nil }
    let sorted = figures.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The figure that the fraction `part` of all figures does not exceed: 0 for the smallest, 1 for the
  /// largest.
  package func quantile(_ part: Double) -> Double? {
    guard !figures.isEmpty else { return nil }
    return figures.sorted()[Int((part * Double(figures.count - 1)).rounded())]
  }

  package var minimum: Double? { figures.min() }
  package var maximum: Double? { figures.max() }
}
