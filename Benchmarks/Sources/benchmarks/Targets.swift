// The targets. `docs/benchmarks.md` gives the reasons.

import BenchmarkKit

enum Targets {
  private static let immediate = "DynamicPromise immediate"
  private static let stepped = "DynamicPromise stepped"
  private static let onDefault = "DynamicPromise default"
  private static let steps: [Workload] = [.w1, .w2, .w3, .w4, .w5, .w6]

  static let all: [Target] = onOneThread + onPrivateDefault + onQueues + extremes + resolvers + shared + links

  private static let toy = "Toy inline"

  /// The targets for one thread, which apply to the immediate context.
  private static let onOneThread: [Target] = steps.flatMap { workload in
    [
      Target(workload, immediate, .atMost(.init(0.45, workload, "SwiftNIO on loop")), floors: [toy]),
      Target(workload, immediate, .shown(.init(1, workload, "SwiftNIO typed"))),
      Target(workload, immediate, .below(.init(1, workload, "Node")), floors: [toy]),
    ]
  }

  private static let onPrivateDefault: [Target] =
    [.w1, .w2].map {
      Target($0, onDefault, .atMost(.init(0.33, $0, "SwiftNIO off loop")), floors: ["Toy pool"])
    }
    + [.w3, .w5].flatMap {
      [
        Target($0, onDefault, .atMost(.init(0.4, $0, "SwiftNIO off loop")), floors: ["Toy pool"]),
        Target($0, onDefault, .atMost(.init(1, $0, "Dispatch concurrent")), floors: ["Toy pool"]),
      ]
    }

  /// A chain makes one submission per step, like the plain toy. Handlers of one promise share a submission,
  /// like the batched toy.
  private static let onQueues: [Target] = ["serial", "barrier"].flatMap { queue in
    let (own, raw) = ("DynamicPromise \(queue)", "Dispatch \(queue)")
    return [Workload.w1, .w2].map { Target($0, own, .atMost(.init(1.2, $0, "Toy \(queue)"))) }
      + [Target(.w3, own, .atMost(.init(0.8, .w3, raw)), floors: ["Toy batched \(queue)"])]
      + [Target(.w5, own, .shown(.init(1, .w5, raw)), floors: ["Toy batched \(queue)"])]
  }

  private static let resolvers = [
    Target(.w5r, immediate, .atMost(.init(0.6, .w5r, "SwiftNIO on loop")), floors: [toy]),
    Target(.w5r, immediate, .shown(.init(1, .w5r, "SwiftNIO typed"))),
  ]

  /// `compare` checks that W13 is not slower than in an earlier build.
  private static let shared: [Target] =
    [(immediate, toy), (onDefault, "Toy pool")].map { contender, floor in
      Target(.w13, contender, .never(.stall, above: 50), floors: [floor])
    }
    + [("serial", "serial", 2.5), ("barrier", "barrier", 3), ("reading", "concurrent", 2)].map {
      own, raw, limit in
      Target(
        .w14, "DynamicPromise to \(own)", .atMost(.init(limit, .w14, "Dispatch \(raw)")),
        floors: [own == "reading" ? "Toy pool" : "Toy batched \(own)"])
    }

  private static let links: [Target] = [immediate, onDefault].flatMap { contender in
    [(Workload.w15a, [toy]), (.w15b, [toy]), (.w15c, [])].map {
      Target($0, contender, .atMostFigure(1000), floors: $1)
    }
  }

  private static let extremes: [Target] =
    [Target(.w7, onDefault, .atMostFigure(288), floors: [toy])]
    + [Workload.w8a, .w8b, .w8c].flatMap {
      [
        Target($0, immediate, .atMostChain(2), floors: [toy]),
        Target($0, immediate, .endingShown, floors: [toy]),
      ]
    }
    // The limit allows the allocator to use a few pages more or less. A leak of one byte per iteration would
    // be ten times this limit.
    + [stepped, onDefault].flatMap { contender in
      [Workload.w9, .w11a, .w11b].map { Target($0, contender, .flat(1024)) }
    }
    + [Workload.w11a, .w11b].map { Target($0, immediate, .flat(1024)) }
    // A ceiling below 1.8 is not steady, because two unshared processors have a speedup of almost 2.
    + [Target(.w10, stepped, .atLeastOfCeiling(0.95, ceiling: Machine.name, steady: 1.8), floors: [toy])]
    + [(immediate, toy, 1.0), (onDefault, "Dispatch concurrent", 2)].flatMap { contender, floor, factor in
      [
        Target(
          .w12, contender,
          .atMostSum(
            [.init(3 * factor, .w5, contender), .init(factor, .w12, Machine.name)],
            name: "\(Int(factor)) x (3 x W5 + synchronization)"),
          floors: [floor]),
        Target(.w12, contender, .shown(.init(1, .w12, floor))),
      ]
    }
}
