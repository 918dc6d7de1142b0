// Random programs, checked against the executable Spec. The programs settle, bind, cancel and release
// promises, even inside handlers, hooks, thenables and deinits. The programs step two contexts and a clock
// job by job. `swift run -c release programs --programs 1000000` runs a million programs.

import DynamicPromise
import ExecutableSpec
import XCTest

final class ProgramTests: XCTestCase {
  /// The time limit for one program, in seconds. Most programs take a millisecond.
  private static let patience = 60.0

  // Spec: 2.1.2.1, 2.1.2.2, 2.2.2.1, 2.2.2.2, 2.2.2.3, 2.2.3.1, 2.2.4, 2.2.6.1, 2.2.6.2, 2.2.7.1, 2.2.7.2
  // Spec: 2.2.7.3, 2.3.2.2, A2.1, A3.5, A4.1, A4.7, C1.1, C2.2, C2.3, C2.6, C2.7, C3.2, C3.3, C3.4, C4.15
  // Spec: C4.25, C5.1, C6.1, C6.3, C6.8, C6.9, C9.1, C9.2, C9.4, H2.5, H2.8, H2.10, H2.11, H6.2, H6.10
  // Spec: H12.1, K2.1, K2.2, K2.4, K2.5, K2.6, K2.8, K5.4, K9.5, K17.1, K17.8, K17.9, K17.14, K17.17
  // Spec: K18.1, L1.3, L1.4, L2.6, L3.6, L3.7, L3.9, L5.4, L5.5, L5.6, X3.3, X3.6, X6.1, X6.3
  func testRulesThatHoldInEveryProgram() {
    // The watchdog prints the seed of a program that hangs.
    let watchdog = Watchdog(patience: Self.patience) { program in
      fatalError("seed \(program?.seed ?? 0) hangs\n\(program?.swiftSource ?? "")")
    }
    for seed in 0..<UInt64(RaceTrack.part(of: 12_000, atLeast: 200)) {
      let program = Generator.program(seed: seed)
      watchdog.begin(program)
      guard let violation = program.violation() else { continue }
      let shrunk = program.withItsEnd().shrunk { candidate in
        watchdog.begin(candidate)
        return candidate.violation()?.clause == violation.clause
      }
      return XCTFail("seed \(seed): \(shrunk.violation() ?? violation)\n\(shrunk.swiftSource)")
    }
  }

  func testAFailureIsShrunk() {
    let shrunk = Generator.program(seed: 7).shrunk { $0.count > 1 }
    XCTAssertEqual(shrunk.count, 2)
  }

  func testASeedDecidesTheProgram() {
    for seed in 0..<UInt64(50) {
      XCTAssertEqual(Generator.program(seed: seed), Generator.program(seed: seed))
      XCTAssertNotEqual(Generator.program(seed: seed), Generator.program(seed: seed + 1))
    }
  }
}
