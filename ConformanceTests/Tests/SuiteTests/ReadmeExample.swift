// The example of ../README.md that is not in ../Template.

import Foundation
import PromisesAPlusSuite

func checkWithLimits(_ adapter: some PromiseAdapter) -> Bool {
  var run = ConformanceRun()
  run.cases = ConformanceSuite.cases(matching: "2.2.6") + ConformanceSuite.cases(matching: "2.3.1")
  run.deadline = 20  // seconds a case may wait; 5 unless told otherwise
  run.maximumHangs = 1  // cases of a section that may wait in vain before the rest is given up; 3
  run.maximumFailures = 10  // then the run ends; unlimited
  let report = run.run(adapter) { event in  // the observer
    switch event {
    case .started(let testCase): lastStarted.set(testCase.id)  // a string of yours, read after a crash
    case .finished(let result): if result.outcome != .passed { print(result) }
    }
  }
  print(report.official.words, report.beyond.words, report.givenUp.count)
  return report.isAsDeclared
}

/// Records the running case for the example above.
let lastStarted = Locked("")

extension Locked<String> {
  func set(_ text: String) { withLock { $0 = text } }
}
