import BenchmarkKit
import Testing

/// Results with these medians for W1, and with ten times these medians for W5.
private func results(_ medians: [String: Double]) -> Results {
  var results = Results()
  for (contender, median) in medians {
    for (workload, factor) in [(Workload.w1, 1.0), (.w5, 10)] {
      results.update(workload, contender, count: 100) {
        $0.sample = Sample([median * factor * 2, median * factor, 0])
      }
    }
  }
  return results
}

private func reached(_ limit: Target.Limit, _ results: Results) throws -> (Double?, Bool?) {
  let verdict = try #require(Target(.w1, "ours", limit).verdict(results))
  return (verdict.reached, verdict.isMet)
}

@Test func ratiosAreOfMediansAndTheirLimitIsIncluded() throws {
  let measured = results(["ours": 50, "peer": 100])
  #expect(try reached(.atMost(.init(0.5, .w1, "peer")), measured) == (0.5, true))
  #expect(try reached(.atMost(.init(0.49, .w1, "peer")), measured) == (0.5, false))
  #expect(try reached(.below(.init(0.5, .w1, "peer")), measured) == (0.5, false))
  #expect(try reached(.atMostFigure(50), measured) == (50, true))
  #expect(try reached(.atMostFigure(49), measured) == (50, false))
}

@Test func aLimitMayBeAFigureOfAnotherWorkload() throws {
  let measured = results(["ours": 50])
  #expect(try reached(.atMost(.init(3, .w5, "ours")), measured) == (0.1, true))
}

@Test func sumsAreHeldAgainstOne() throws {
  let measured = results(["ours": 250, "raw": 100, "toy": 100])
  let sum = Target.Limit.atMostSum([.init(1, .w1, "raw"), .init(1.5, .w1, "toy")], name: "a step")
  #expect(try reached(sum, measured) == (1, true))
  #expect(try reached(sum, results(["ours": 500, "raw": 100, "toy": 100])) == (2, false))
}

@Test func whatWasNotMeasuredHasNoVerdict() {
  let measured = results(["ours": 50])
  #expect(Target(.w1, "ours", .atMost(.init(1, .w1, "peer"))).verdict(measured) == nil)
  #expect(Target(.w2, "ours", .atMostFigure(1)).verdict(measured) == nil)
  let sum = Target.Limit.atMostSum([.init(1, .w1, "ours"), .init(1, .w1, "peer")], name: "")
  #expect(Target(.w1, "ours", sum).verdict(measured) == nil)
}

@Test func memoryIsComparedBetweenTheSmallestAndTheLargestCount() throws {
  var measured = Results()
  for (count, peak) in [(1000, 500.0), (10, 400.0)] {
    measured.update(.w9, "ours", count: count) {
      $0.sample.add(1)
      $0.peak.add(peak)
    }
  }
  #expect(try #require(Target(.w9, "ours", .flat(100)).verdict(measured)).isMet == true)
  let verdict = try #require(Target(.w9, "ours", .flat(99)).verdict(measured))
  #expect(verdict.reached == 100)
  #expect(verdict.isMet == false)
  #expect(Target(.w9, "ours", .flat(1)).verdict(Results()) == nil)
}

@Test func whoFailsHasNotReachedAFigure() throws {
  var measured = Results()
  measured.update(.w15c, "ours", count: 100) { $0.failure = "does not climb" }
  measured.update(.w15c, "toy", count: 100) { $0.add(Figures(20)) }
  let target = Target(.w15c, "ours", .atMostFigure(1000), floors: ["toy"])
  let verdict = try #require(target.verdict(measured))
  #expect(verdict.isMet == false)
  #expect(verdict.reached == nil)
  #expect(verdict.floors == [.init("toy", 20)])
  let report = Report(.init(command: "run", rounds: 3, facts: []), measured, targets: [target])
  #expect(report.table().contains("does not climb"))
  #expect(
    report.markdown().contains("| W15c: ours, ns | - | 20.0 (toy) | <= 1000 | **not met**: does not climb |"))
}

@Test func reportsShowFiguresRatiosAndFailures() {
  var measured = results(["ours": 50, "peer": 100])
  measured.update(.w1, "broken", count: 100) { $0.failure = "signal 11" }
  let report = Report(
    .init(command: "run", rounds: 3, facts: ["a machine"]), measured,
    targets: [
      Target(.w1, "ours", .atMost(.init(0.4, .w1, "peer"))),
      Target(.w1, "ours", .atMost(.init(0.6, .w1, "peer"))),
    ])
  let table = report.table()
  #expect(table.contains("signal 11"))
  #expect(table.contains("NOT MET"))
  #expect(table.contains("targets met: 1 of 2"))
  let markdown = report.markdown()
  #expect(markdown.contains("| ours | 50.0 (0.00 to 100) |"))
  #expect(markdown.contains("| W1: ours, x peer | 0.50 |  | <= 0.40 | **not met** |"))
}
