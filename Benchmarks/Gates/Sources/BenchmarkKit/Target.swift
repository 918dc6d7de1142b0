/// A figure of one contender, perhaps divided by another figure, and perhaps with a limit.
package struct Target: Sendable {
  package enum Limit: Sendable {
    case atMost(Double)
    case atLeast(Double)
    /// The figure is shown for comparison.
    case none
  }

  /// A contender's figure and, for a ratio, the figure that divides it.
  package typealias Figure = (own: Double, reference: Double?)

  package let workload: Workload
  package let contender: String
  /// What the figure is, such as `x Node`.
  package let text: String
  package let limit: Limit
  /// Contenders with few features. Their figures show what is achievable.
  package let floors: [String]
  /// The figure if `own` were the contender; `nil` if something was not measured.
  package let figure: @Sendable (_ own: String, _ results: Results) -> Figure?

  package init(
    _ workload: Workload, _ contender: String, _ text: String, _ limit: Limit, floors: [String] = [],
    figure: @escaping @Sendable (_ own: String, _ results: Results) -> Figure?
  ) {
    (self.workload, self.contender, self.text, self.limit) = (workload, contender, text, limit)
    (self.floors, self.figure) = (floors, figure)
  }

  /// The time as a multiple of the time of another contender.
  package static func ratio(
    _ workload: Workload, _ contender: String, to peer: String, _ limit: Limit, floors: [String] = []
  ) -> Target {
    Target(workload, contender, "x \(peer)", limit, floors: floors) {
      guard let own = $1.median(workload, $0), let peer = $1.median(workload, peer) else { return nil }
      return (own, peer)
    }
  }

  /// The figure of the workload itself.
  package static func figure(
    _ workload: Workload, _ contender: String, _ limit: Limit, floors: [String] = []
  ) -> Target {
    Target(workload, contender, workload.unit, limit, floors: floors) {
      $1.median(workload, $0).map { ($0, nil) }
    }
  }

  /// A quantile of all rounds of a part: 0.5 for the median, 1 for what must happen in no round.
  package static func part(
    _ workload: Workload, _ contender: String, _ part: Part, quantile: Double = 0.5, _ limit: Limit,
    floors: [String] = []
  ) -> Target {
    Target(workload, contender, part.rawValue, limit, floors: floors) {
      $1.of(workload, $0).last?.parts[part]?.quantile(quantile).map { ($0, nil) }
    }
  }

  /// The peak of memory for the largest count, minus the peak for the smallest count.
  package static func growth(_ workload: Workload, _ contender: String, _ limit: Limit) -> Target {
    Target(workload, contender, "MiB more for more steps", limit) {
      let peaks = $1.of(workload, $0).compactMap { $0.parts[.peak]?.median }
      return peaks.count > 1 ? (peaks.last! - peaks[0], nil) : nil
    }
  }
}

/// What a target's contender reached.
package struct Verdict: Sendable {
  package let target: Target
  package let figure: Target.Figure
  package let floors: [(contender: String, reached: Double)]

  package var reached: Double { Self.reached(figure) }

  /// `nil` if there is no limit.
  package var isMet: Bool? {
    switch target.limit {
    case .atMost(let limit): reached <= limit
    case .atLeast(let limit): reached >= limit
    case .none: nil
    }
  }

  /// `nil` if a figure was not measured.
  package init?(_ target: Target, _ results: Results) {
    guard let figure = target.figure(target.contender, results) else { return nil }
    (self.target, self.figure) = (target, figure)
    floors = target.floors.compactMap { floor in
      target.figure(floor, results).map { (floor, Self.reached($0)) }
    }
  }

  private static func reached(_ figure: Target.Figure) -> Double {
    figure.reference.map { figure.own / $0 } ?? figure.own
  }
}
