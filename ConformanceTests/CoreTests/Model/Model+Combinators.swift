// The reference for combinators (K2, K3).

extension Model {
  enum Combinator: CaseIterable { case all, allSettled, any, race }

  struct Combination {
    let combinator: Combinator
    let inputs: [Node]
    let withdraws: Bool
  }

  func combine(_ node: Node, _ combination: Combination) {
    node.combination = combination
    for input in combination.inputs { combine(node, after: input) }
  }

  /// An input has settled.
  func combine(_ node: Node, after input: Node) {
    guard let combination = node.combination, node.isPending, !input.isPending else { return }
    let inputs = combination.inputs
    guard inputs.contains(where: { $0 === input }) else { return }
    let areSettled = inputs.allSatisfy { !$0.isPending }
    switch combination.combinator {
    case .race: settle(node, input.outcome!, fulfilled: input.isFulfilled)
    case .any:
      if input.isFulfilled { return settle(node, input.outcome!, fulfilled: true) }
      if areSettled, !inputs.contains(where: \.isFulfilled) { settle(node, "none", fulfilled: false) }
    case .all:
      if !input.isFulfilled { return settle(node, input.outcome!, fulfilled: false) }
      if areSettled, inputs.allSatisfy(\.isFulfilled) {
        settle(node, "[\(inputs.map { $0.outcome! }.joined(separator: " "))]", fulfilled: true)
      }
    case .allSettled:
      if areSettled {
        settle(node, "[\(inputs.map { $0.outcome! }.joined(separator: " "))]", fulfilled: true)
      }
    }
  }

  /// K3.2, K3.3: a result that is cancelled or decided.
  func concludeCombination(of node: Node) {
    guard let combination = node.combination, combination.withdraws else { return }
    let reason = node.isCancelledByRequest ? node.outcome! : "cancellation"
    for input in combination.inputs { withdraw(from: input, reason) }
  }
}
