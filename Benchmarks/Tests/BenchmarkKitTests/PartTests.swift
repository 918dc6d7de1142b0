// Tests of additional figures: parts, floors and doubts.

import BenchmarkKit
import Foundation
import Testing

private func verdict(_ target: Target, _ results: Results) throws -> Verdict {
  try #require(target.verdict(results))
}

/// Results of one round.
private func results(_ workload: Workload, _ rows: [String: Figures]) -> Results {
  var results = Results()
  for (contender, figures) in rows {
    results.update(workload, contender, count: 1000) { $0.add(figures) }
  }
  return results
}

/// The time of W8a, its ending, the time of W2 in the same process, and the ending of that W2.
private func deep(_ time: Double, _ ending: Double, _ chain: Double, _ chainEnding: Double) -> Figures {
  Figures(time, [.ending: ending, .chain: chain, .chainEnding: chainEnding])
}

/// The speedup of W10, the fraction of the ceiling, and the speedup that a tenth of the slices do not reach.
private func paired(_ speedup: Double, _ ofCeiling: Double, _ low: Double) -> Figures {
  Figures(speedup, [.ofCeiling: ofCeiling, .low: low, .high: speedup + 0.5])
}

@Test func deepChainsAreComparedWithTheirOwnProcess() throws {
  let measured = results(.w8a, ["ours": deep(300, 200, 150, 50)])
  let total = try verdict(Target(.w8a, "ours", .atMostChain(2)), measured)
  #expect(total.reached == 2)
  #expect(total.isMet == true)
  #expect(try verdict(Target(.w8a, "ours", .atMostChain(1.9)), measured).isMet == false)
  let ending = try verdict(Target(.w8a, "ours", .endingShown), measured)
  #expect(ending.reached == 4)
  #expect(ending.isMet == nil)
  #expect(Target(.w8b, "ours", .atMostChain(2)).verdict(measured) == nil)
}

@Test func theFloorIsWhatItsContenderReachesOnTheSameTarget() throws {
  var measured = results(.w8a, ["ours": deep(300, 200, 150, 50), "toy": deep(120, 60, 100, 60)])
  let ofChain = try verdict(Target(.w8a, "ours", .atMostChain(2), floors: ["toy"]), measured)
  #expect(ofChain.floors == [.init("toy", 1.2)])
  for (contender, figure) in [("ours", 90.0), ("toy", 60), ("peer", 100)] {
    measured.update(.w1, contender, count: 10) { $0.add(Figures(figure)) }
  }
  let peer = Target.Limit.atMost(.init(0.5, .w1, "peer"))
  #expect(try verdict(Target(.w1, "ours", peer, floors: ["toy"]), measured).floors == [.init("toy", 0.6)])
  let sum = Target.Limit.atMostSum([.init(1, .w1, "peer"), .init(1, .w1, "ours")], name: "both")
  #expect(
    try verdict(Target(.w1, "ours", sum, floors: ["peer"]), measured).floors == [.init("peer", 100 / 190.0)])
  #expect(try verdict(Target(.w1, "ours", peer, floors: ["none"]), measured).floors == [])
  let both = try verdict(Target(.w1, "ours", peer, floors: ["toy", "none", "peer"]), measured)
  #expect(both.floors == [.init("toy", 0.6), .init("peer", 1)])
}

@Test func comparisonsWithoutALimitAreNeitherMetNorMissed() throws {
  let measured = results(.w12, ["ours": Figures(90), "raw": Figures(100)])
  let shown = Target(.w12, "ours", .shown(.init(1, .w12, "raw")))
  let result = try verdict(shown, measured)
  #expect(result.reached == 0.9)
  #expect(result.isMet == nil)
  let report = Report(.init(command: "run", rounds: 3, facts: []), measured, targets: [shown])
  #expect(!report.table().contains("targets met"))
  #expect(report.markdown().contains("| W12: ours, x raw | 0.90 |  |  | for comparison |"))
}

@Test func anUnsteadyMachineIsSaidToBeOne() throws {
  let limit = Target.Limit.atLeastOfCeiling(0.95, ceiling: "ceiling", steady: 1.8)
  let target = Target(.w10, "ours", limit, floors: ["toy"])
  let steady = results(
    .w10, ["ceiling": paired(1.98, 1, 1.9), "ours": paired(1.9, 0.96, 1.8), "toy": paired(1.95, 0.98, 1.9)])
  let good = try verdict(target, steady)
  #expect(good.reached == 0.96)
  #expect(good.floors == [.init("toy", 0.98)])
  #expect(good.isMet == true)
  #expect(good.doubt == nil)
  let unsteady = results(.w10, ["ceiling": paired(1.5, 1, 1.1), "ours": paired(1, 0.7, 0.9)])
  let bad = try verdict(target, unsteady)
  #expect(bad.isMet == false)
  #expect(bad.doubt == "the machine itself reached 1.50 (1.10 to 2.00)")
  let report = Report(.init(command: "run", rounds: 3, facts: []), unsteady, targets: [target])
  #expect(report.table().contains("the machine itself reached 1.50"))
  #expect(report.markdown().contains("**not met**; the machine itself reached 1.50"))
}

@Test func anUnsteadySumIsSaidToBeOne() throws {
  var measured = Results()
  for figure in [100.0, 250, 290] {
    measured.update(.w12, "ours", count: 10) { $0.add(Figures(4 * figure)) }
    measured.update(.w12, "meeting", count: 10) { $0.add(Figures(figure)) }
  }
  let target = Target(.w12, "ours", .atMostSum([.init(1, .w12, "meeting")], name: "it"))
  #expect(try verdict(target, measured).doubt == nil)
  measured.update(.w12, "meeting", count: 10) { $0.add(Figures(301)) }
  #expect(try verdict(target, measured).doubt == "meeting itself took from 100 to 301 ns")
}

@Test func partsAreColumnsAndFloorsStandInTheTables() {
  let measured = results(
    .w8a,
    [
      "ours": deep(300, 200, 150, 50), "toy": deep(120, 60, 100, 60), "better toy": deep(150, 60, 100, 60),
    ])
  let report = Report(
    .init(command: "run", rounds: 3, facts: []), measured,
    targets: [Target(.w8a, "ours", .atMostChain(2), floors: ["toy", "better toy"])])
  let markdown = report.markdown()
  #expect(
    markdown.contains(
      "| contender | count | median ns | min | max | ending | W2 here | its ending | peak MiB |"))
  #expect(markdown.contains("| ours | 1,000 | 300 | 300 | 300 | 200 | 150 | 50.0 |  |"))
  #expect(markdown.contains("| target | reached | floor | wanted |  |"))
  #expect(
    markdown.contains(
      "| W8a: ours, x its W2 of the same depth | 2.00 | 1.20 (toy), 1.50 (better toy) | <= 2.00 | met |"))
  #expect(report.table().contains("floor 1.20 (toy), 1.50 (better toy)"))
}

/// A median would hide a stall that occurs in one round only.
@Test func whatMustNeverHappenIsLookedForInAllRounds() throws {
  var measured = Results()
  for stall in [1.0, 60, 2] {
    measured.update(.w13, "ours", count: 100) { $0.add(Figures(200, [.stall: stall])) }
    measured.update(.w13, "toy", count: 100) { $0.add(Figures(100, [.stall: stall / 2])) }
  }
  let result = try verdict(Target(.w13, "ours", .never(.stall, above: 50), floors: ["toy"]), measured)
  #expect(result.reached == 60)
  #expect(result.isMet == false)
  #expect(result.floors == [.init("toy", 30)])
  #expect(try verdict(Target(.w13, "ours", .never(.stall, above: 60)), measured).isMet == true)
}

@Test func aProcessReportsWhatItMeasured() throws {
  var figures = Figures(12.5, [.ending: 3, .chain: 4])
  figures.peak = 2048
  let data = try JSONEncoder().encode(figures)
  #expect(try JSONDecoder().decode(Figures.self, from: data) == figures)
  var result = Result(.w8a, "ours", count: 10)
  result.add(figures)
  result.add(Figures(7.5))
  #expect(result.sample.figures == [12.5, 7.5])
  #expect(result.parts[.ending]?.figures == [3])
  #expect(result.parts[.chainEnding] == nil)
  #expect(result.peak.figures == [2048])
}

@Test func whatDoesNotCountComesFirst() {
  #expect(Workload.w1.warmUp(for: 1000, isFirst: true) == 1000)
  #expect(Workload.w1.warmUp(for: 1000, isFirst: false) == 100)
  #expect(Workload.w8a.warmUp(for: 1_000_000, isFirst: true) == 1_000_000)
  // The warm-up is short, because a longer one could determine the memory peak.
  #expect(Workload.w9.warmUp(for: 10_000_000, isFirst: true) == 10_000)
}

@Test func onlyTheLongestIsMeasuredOnce() {
  for workload in Workload.allCases {
    let counts = workload.counts(quick: false)
    #expect(counts == counts.sorted())
    #expect(counts.dropLast().allSatisfy { !workload.isMeasuredOnce($0) })
    #expect(workload.isMeasuredOnce(counts.last!) == (counts.count > 1))
  }
  var results = Results()
  for count in [10_000, 10_000_000] { results.update(.w9, "ours", count: count) { $0.add(Figures(1)) } }
  let report = Report(.init(command: "run", rounds: 7, facts: []), results, targets: [])
  #expect(report.table().contains("N = 10,000 and 10,000,000 (in one round only)"))
}
