// The targets. `docs/speed.md` gives the reasons.

import BenchmarkKit

enum Targets {
  private static let immediate = "DynamicPromise immediate"
  private static let stepped = "DynamicPromise stepped"
  private static let onDefault = "DynamicPromise default"
  private static let toy = "Toy inline"
  private static let pool = "Toy pool"

  static let all: [Target] = inPlace + onPrivateDefault + onQueues + extremes

  private static let inPlace: [Target] =
    [
      (Workload.w1, 0.45), (.w2, 0.45), (.w3, 0.45), (.w4, 0.45), (.w5, 0.45), (.w5r, 0.5), (.w5c, 0.6),
      (.w6, 0.45),
    ]
    .flatMap { workload, limit in
      [
        .ratio(workload, immediate, to: "SwiftNIO on loop", .atMost(limit), floors: [toy]),
        .ratio(workload, immediate, to: "SwiftNIO typed", .none),
        .ratio(workload, immediate, to: "Node", .atMost(1), floors: [toy]),
      ]
    }

  private static let onPrivateDefault: [Target] = [
    .ratio(.w1, onDefault, to: "SwiftNIO off loop", .atMost(0.33), floors: [pool]),
    .ratio(.w2, onDefault, to: "SwiftNIO off loop", .atMost(0.33), floors: [pool]),
    .ratio(.w3, onDefault, to: "SwiftNIO off loop", .atMost(0.4), floors: [pool]),
    .ratio(.w5, onDefault, to: "SwiftNIO off loop", .atMost(0.8), floors: [pool]),
    .ratio(.w3, onDefault, to: "Dispatch concurrent", .atMost(1), floors: [pool]),
    .ratio(.w5, onDefault, to: "Dispatch concurrent", .atMost(1.2), floors: [pool]),
    .ratio(.w14, onDefault, to: "Dispatch concurrent", .atMost(2), floors: [pool]),
  ]

  private static let onQueues: [Target] =
    onQueue("serial", w14: 2, floors: ["Toy batched serial"]) + onQueue("barrier", w14: 2.2, floors: [])

  private static func onQueue(_ queue: String, w14: Double, floors: [String]) -> [Target] {
    let (own, raw) = ("DynamicPromise \(queue)", "Dispatch \(queue)")
    return [
      .ratio(.w3, own, to: raw, .atMost(0.8), floors: floors),
      .ratio(.w5, own, to: raw, .none, floors: floors),
      .ratio(.w14, own, to: raw, .atMost(w14), floors: floors),
    ]
  }

  private static let extremes: [Target] =
    [
      .figure(.w7, onDefault, .atMost(288), floors: [toy]),
      Target(.w8a, immediate, "x its W2 of 100,000 steps", .atMost(2), floors: [toy]) {
        guard let deep = $1.median(.w8a, $0), let chain = $1.of(.w8a, $0).last?.parts[.chain]?.median
        else { return nil }
        return (deep, chain)
      },
      .part(.w10, stepped, .ofCeiling, .atLeast(0.95), floors: [toy]),
      Target(.w12, immediate, "x (3 W5 + the meeting of two threads)", .atMost(1), floors: [toy]) {
        guard let own = $1.median(.w12, $0), let step = $1.median(.w5, immediate),
          let meeting = $1.median(.w12, Machine.contender.name)
        else { return nil }
        return (own, 3 * step + meeting)
      },
      .part(.w13, immediate, .stall, quantile: 1, .atMost(50), floors: [toy]),
      .part(.w13, onDefault, .stall, quantile: 1, .atMost(50), floors: [pool]),
    ]
    // A leak of one byte per step would almost reach this limit.
    + [(Workload.w9, stepped), (.w9, onDefault), (.w11a, immediate), (.w11a, stepped), (.w11a, onDefault)]
    .map { .growth($0, $1, .atMost(1)) }
}
