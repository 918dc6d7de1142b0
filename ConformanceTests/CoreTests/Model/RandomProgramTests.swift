// Random programs of promises, run on the library and on naive models of the Spec, and compared (2.2, 2.3,
// A2, C, K2, K3).
//
// A program's jobs run in batches only (`drain`), and handlers have no side effects: then most outcomes
// follow from the Spec alone, whatever the order in which promises are visited and different promises'
// handlers run, which is not promised. The models choose these orders each in their own way; a program ends
// where they differ.

import DynamicPromise
import XCTest

final class RandomProgramTests: XCTestCase {
  /// The environment variable RANDOM_PROGRAMS says otherwise: for a search that may take its time.
  private let count = ProcessInfo.processInfo.environment["RANDOM_PROGRAMS"].flatMap(UInt64.init) ?? usual

  #if DEBUG
    private static let usual = UInt64(RaceTrack.part(of: 2000, atLeast: 200))
  #else
    private static let usual = UInt64(RaceTrack.part(of: 20_000, atLeast: 200))
  #endif

  // Spec: 2.2.7, 2.3, A2.7, A2.9, A3.2, C1, C2, C3, C5, C7.4, C9.1, C9.4, K2, L2.2, L3.9
  func testProgramsWithoutAdoption() {
    run(.init(adopts: false, cancels: true))
  }

  // Spec: 2.2.7, 2.3, A2.1, A2.2, A2.7, A2.9, A3.2, K2, L2.2, L3.9
  func testProgramsWithoutCancellation() {
    run(.init(adopts: true, cancels: false))
  }

  // Spec: 2.2.7, 2.3, A2.1, A2.2, A2.7, A2.9, A3.2, C1, C2, C3, C4, C5, C9.1, C9.4
  // Spec: K2, K3, L2.2, L3.9, T1.3, T1.5
  func testProgramsOfEverything() {
    run(.init(adopts: true, cancels: true))
  }

  private func run(_ features: RandomProgram.Features) {
    var complete: UInt64 = 0
    for seed in 0..<count {
      switch run(seed, features) {
      case .asExpected: complete += 1
      case .orderDecides: break
      case .different: return
      }
    }
    XCTAssertGreaterThan(complete, count / 2, "in most programs no order decides")
  }

  private enum Verdict { case asExpected, orderDecides, different }

  private func run(_ seed: UInt64, _ features: RandomProgram.Features) -> Verdict {
    let census = Census()
    var program = RandomProgram(seed: seed, features, census: census)
    var history: [String] = []
    func check() -> Verdict? {
      if program.orderDecides { return .orderDecides }
      guard let difference = program.difference() else { return nil }
      return report(seed, history, difference)
    }
    defer { program.endReaders() }
    for _ in 0..<(4 + Int(seed % 50)) {
      history.append(program.doSomething())
      if let verdict = check() { return verdict }
    }
    history.append("drain")
    program.drain()
    if let verdict = check() { return verdict }
    history.append("lose all resolvers, drain")
    program.loseResolvers()
    program.drain()
    if let verdict = check() { return verdict }
    // A promise that waits for its own descendant waits forever, and stays (L1).
    guard program.isComplete else { return .asExpected }
    program.endReaders()
    program.forget()
    return census.alive == 0 ? .asExpected : report(seed, history, "\(census.alive) promises are left")
  }

  private func report(_ seed: UInt64, _ history: [String], _ difference: String) -> Verdict {
    XCTFail("seed \(seed): \(difference)\n  " + history.joined(separator: "\n  "))
    return .different
  }
}
