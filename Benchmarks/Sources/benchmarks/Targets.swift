// What is to be reached. The reasons stand in `docs/benchmarks.md`.

import BenchmarkKit

enum Targets {
  private static let immediate = "DynamicPromise immediate"
  private static let stepped = "DynamicPromise stepped"
  private static let onDefault = "DynamicPromise default"
  /// The target is for one thread, in place or stepped: the faster one is held to it, the other one stands beside it.
  private static let oneThread = [immediate]
  private static let steps: [Workload] = [.w1, .w2, .w3, .w4, .w5, .w6]

  static let all: [Target] = onOneThread + onPrivateDefault + onQueues + extremes

  private static let onOneThread: [Target] = steps.flatMap { workload in
    oneThread.flatMap { contender in
      [
        Target(workload, contender, .atMost(.init(0.5, workload, "SwiftNIO on loop"))),
        Target(workload, contender, .atMost(.init(1.4, workload, "Toy inline"))),
        Target(workload, contender, againstNode(workload)),
      ]
    }
  }

  private static func againstNode(_ workload: Workload) -> Target.Limit {
    switch workload {
    case .w1: .atMost(.init(2.5, workload, "Node"))
    case .w2: .atMost(.init(1.5, workload, "Node"))
    default: .below(.init(1, workload, "Node"))
    }
  }

  private static let onPrivateDefault: [Target] =
    [.w1, .w2].map { Target($0, onDefault, .atMost(.init(0.25, $0, "SwiftNIO off loop"))) }
    + [.w3, .w5].flatMap {
      [
        Target($0, onDefault, .atMost(.init(0.5, $0, "SwiftNIO off loop"))),
        Target($0, onDefault, .atMost(.init(0.6, $0, "Dispatch concurrent"))),
      ]
    }

  private static let onQueues: [Target] = ["serial", "barrier"].flatMap { queue in
    let (own, raw) = ("DynamicPromise \(queue)", "Dispatch \(queue)")
    return [Workload.w1, .w2].map {
      Target(
        $0, own,
        .atMostSum([.init(1, $0, raw), .init(1.5, $0, "Toy inline")], name: "\(raw) + 1.5 Toy inline"))
    } + [Target(.w3, own, .atMost(.init(0.5, .w3, raw)))]
  }

  private static let extremes: [Target] =
    [Target(.w7, onDefault, .atMostFigure(288))]
    + oneThread.flatMap { contender in
      [Workload.w8a, .w8b, .w8c].map { Target($0, contender, .atMost(.init(2, .w2, contender))) }
    }
    // A page or two more or less is the allocator's; a byte per iteration would be ten times this.
    + [stepped, onDefault].flatMap { contender in
      [Workload.w9, .w11a, .w11b].map { Target($0, contender, .flat(1024)) }
    }
    + [Workload.w11a, .w11b].map { Target($0, immediate, .flat(1024)) }
    + [Target(.w10, stepped, .atLeast(.init(0.95, .w10, "machine's ceiling")))]
    + [immediate, onDefault].map { contender in
      Target(
        .w12, contender,
        .atMostSum(
          [.init(3, .w5, contender), .init(1, .w12, "machine's ceiling")], name: "3 W5 + the meeting"))
    }
}
