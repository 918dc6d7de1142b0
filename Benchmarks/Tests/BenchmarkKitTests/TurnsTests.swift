import BenchmarkKit
import Testing

@Test func eachRoundHasAllAndTheSameInEachRun() {
  for round in 1...7 {
    let order = Turns.shuffled(Array(0..<20), round: round)
    #expect(order.sorted() == Array(0..<20))
    #expect(order == Turns.shuffled(Array(0..<20), round: round))
  }
}

/// In seven rounds, no contender follows the same predecessor more than three times.
@Test func nobodyIsAlwaysBehindTheSame() {
  var before: [Int: [Int]] = [:]
  for round in 1...7 {
    let order = Turns.shuffled(Array(0..<20), round: round)
    for (one, next) in zip(order, order.dropFirst()) { before[next, default: []].append(one) }
  }
  for (_, neighbours) in before {
    let most = Dictionary(grouping: neighbours, by: \.self).values.map(\.count).max()
    #expect(most.map { $0 <= 3 } == true)
  }
}
