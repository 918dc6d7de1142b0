import BenchmarkKit
import Testing

/// Results whose medians are `medians`: three rounds of 100 steps.
private func results(_ workload: Workload, _ medians: [String: Double]) -> Results {
  var results = Results()
  for (contender, median) in medians {
    results.update(workload, contender, count: 100) {
      for factor in [2.0, 1, 0] { $0.add(Figures(median * factor * 100, [.stall: median * factor])) }
    }
  }
  return results
}

private func verdict(_ target: Target, _ results: Results) throws -> Verdict {
  try #require(Verdict(target, results))
}

@Test func ratiosAreOfMediansAndIncludeTheirLimit() throws {
  let measured = results(.w1, ["ours": 50, "toy": 20, "peer": 100])
  let target = Target.ratio(.w1, "ours", to: "peer", .atMost(0.5), floors: ["toy", "absent"])
  let reached = try verdict(target, measured)
  #expect(reached.figure == (50, 100))
  #expect(reached.reached == 0.5)
  #expect(reached.isMet == true)
  #expect(reached.floors.map(\.reached) == [0.2])
  #expect(try verdict(.ratio(.w1, "ours", to: "peer", .atMost(0.49)), measured).isMet == false)
  #expect(try verdict(.ratio(.w1, "ours", to: "peer", .atLeast(0.5)), measured).isMet == true)
  #expect(try verdict(.ratio(.w1, "ours", to: "peer", .none), measured).isMet == nil)
  #expect(try verdict(.figure(.w1, "ours", .atMost(50)), measured).reached == 50)
}

@Test func aTargetWithoutItsFiguresHasNoVerdict() {
  let measured = results(.w1, ["ours": 50])
  #expect(Verdict(.ratio(.w1, "ours", to: "peer", .none), measured) == nil)
  #expect(Verdict(.figure(.w2, "ours", .none), measured) == nil)
  #expect(Verdict(.part(.w1, "ours", .peak, .none), measured) == nil)
  #expect(Verdict(.growth(.w1, "ours", .none), measured) == nil)
}

@Test func partsAreMediansOrTheWorstRound() throws {
  let measured = results(.w13, ["ours": 50])
  #expect(try verdict(.part(.w13, "ours", .stall, .none), measured).reached == 50)
  #expect(try verdict(.part(.w13, "ours", .stall, quantile: 1, .none), measured).reached == 100)
}

@Test func memoryIsComparedBetweenTheSmallestAndTheLargestCount() throws {
  var measured = Results()
  for (count, peak) in [(1000, 7.5), (10, 7.0)] {
    measured.update(.w9, "ours", count: count) { $0.add(Figures(1, [.peak: peak])) }
  }
  #expect(try verdict(.growth(.w9, "ours", .atMost(0.5)), measured).reached == 0.5)
}

@Test func aReportHasTheTargetsAndATableForEachWorkload() {
  var measured = results(.w1, ["ours": 50])
  measured.update(.w1, "broken", count: 100) { $0.failure = "signal 11" }
  let report = Report(["a machine"], measured, targets: [.figure(.w1, "ours", .atMost(40))]).markdown
  #expect(report.contains("## Targets: 0 of 1 are met"))
  #expect(report.contains("**not met**"))
  #expect(report.contains("| ours      |   100 |      50.0 | 0.00 | 100 |"))
  #expect(report.contains("signal 11"))
}
