import BenchmarkKit
import Testing

@Test func nothingSaidMeansEverythingInSevenRounds() throws {
  let options = try Options([])
  #expect(options.action == .measure)
  #expect(options.output == .table)
  #expect(options.rounds == 7)
  #expect(Workload.allCases.allSatisfy(options.wants))
  #expect(options.wants(contender: "Anybody"))
}

@Test func quickHasFewerRoundsUnlessTheyAreGiven() throws {
  #expect(try Options(["--quick"]).rounds < 7)
  #expect(try Options(["--rounds", "9", "--quick"]).rounds == 9)
}

@Test func workloadsAreChosenByNameAndByGroup() throws {
  #expect(try Options(["--workload", "W1,w12"]).workloads == [.w1, .w12])
  #expect(try Options(["--workload", "W8"]).workloads == [.w8a, .w8b, .w8c])
  #expect(try Options(["--workload", "W8b"]).workloads == [.w8b])
  #expect(try Options(["--workload", "W1"]).wants(.w11a) == false)
  // A name that is a workload does not select workloads that begin with it.
  #expect(try Options(["--workload", "W5"]).workloads == [.w5])
  #expect(try Options(["--workload", "w5R"]).workloads == [.w5r])
}

@Test func contendersAreChosenByPartsOfTheirNames() throws {
  let options = try Options(["--contender", "nio", "--contender", "Toy"])
  #expect(options.wants(contender: "SwiftNIO on loop"))
  #expect(options.wants(contender: "Toy inline"))
  #expect(!options.wants(contender: "OpenCombine"))
}

@Test func oneMeasurementNeedsAllThree() throws {
  let one = Options.Action.measureOne(contender: "Toy inline", workload: .w9, count: 12)
  #expect(try Options(["--measure", "Toy inline", "W9", "12"]).action == one)
  let quick = Options.Action.measureOne(contender: "Toy inline", workload: .w9, count: 100_000)
  #expect(try Options(["--measure", "Toy inline", "W9", "quick"]).action == quick)
  let full = Options.Action.measureOne(contender: "Toy inline", workload: .w9, count: 1_000_000)
  #expect(try Options(["--measure", "Toy inline", "W9", "full"]).action == full)
  #expect(throws: Options.Mistake.self) { try Options(["--measure", "Toy inline", "W8", "12"]) }
  #expect(throws: Options.Mistake.self) { try Options(["--measure", "Toy inline", "W9"]) }
}

@Test(arguments: [
  ["--bogus"], ["W1"], ["--rounds"], ["--rounds", "0"], ["--rounds", "many"], ["--workload", "W16"],
  ["--workload", "W1,,W2"], ["--workload", "W"], ["--contender"],
])
func mistakesAreToldApart(_ arguments: [String]) {
  #expect(throws: Options.Mistake.self) { try Options(arguments) }
}
