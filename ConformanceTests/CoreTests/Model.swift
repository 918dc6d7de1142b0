// The reference for `RandomProgramTests`: promises as the Spec describes them, with recursion, strong references and no
// thought for threads.

import DynamicPromise

final class Model: @unchecked Sendable {
  enum Kind: CaseIterable { case value, reason, both, finally, none }

  enum Result {
    case value(String), error(String), promise(Node)
    /// A thenable that rejects: the resolution procedure finds out, nobody before it.
    case lateError(String)
  }

  final class Node: @unchecked Sendable {
    let parent: Node?
    let kind: Kind
    var body: (String) -> Result = { _ in .value("") }
    var outcome: String?
    var isFulfilled = false
    var isTold = false
    var isResolved = false
    var hasRun = false
    var adopted: Node?
    var adopters: [Node] = []
    var children: [Node] = []

    init(_ parent: Node?, _ kind: Kind) { (self.parent, self.kind) = (parent, kind) }

    func handles(fulfilled: Bool) -> Bool {
      kind == .both || kind == .finally || kind == (fulfilled ? .value : .reason)
    }
  }

  private(set) var all: [Node] = []
  let runs = Log<String>()
  private var jobs: [Node] = []

  func add(_ node: Node) {
    all.append(node)
    guard let parent = node.parent else { return }
    parent.children.append(node)
    if parent.outcome != nil { handOver(node) }
  }

  /// 2.3; the first resolution wins (A2.11), and a told promise forwards once (C4.8).
  func resolve(_ node: Node, _ result: Result) {
    guard !node.isResolved else { return }
    node.isResolved = true
    if node.isTold, case .promise(let other) = result { return tell(other, node.outcome!) }
    guard node.outcome == nil else { return }
    switch result {
    case .value(let value): settle(node, value, fulfilled: true)
    case .error(let reason), .lateError(let reason): settle(node, reason, fulfilled: false)
    case .promise(let other):
      var end: Node? = other
      while let next = end, next !== node { end = next.outcome == nil ? next.adopted : nil }
      if end === node { return settle(node, "cycle", fulfilled: false) }
      if other.outcome != nil { return follow(node, other) }
      node.adopted = other
      other.adopters.append(node)
    }
  }

  private func follow(_ node: Node, _ other: Node) {
    settle(node, other.outcome!, fulfilled: other.isFulfilled, told: other.isTold)
  }

  private func settle(_ node: Node, _ outcome: String, fulfilled: Bool, told: Bool = false) {
    guard node.outcome == nil else { return }
    (node.outcome, node.isFulfilled, node.isTold) = (outcome, fulfilled, told)
    // C9.4
    if told, node.kind == .finally, !node.hasRun {
      node.hasRun = true
      jobs.append(node)
    }
    if told, let adopted = node.adopted { tell(adopted, outcome) }
    for adopter in node.adopters { follow(adopter, node) }
    for child in node.children { handOver(child) }
  }

  private func handOver(_ child: Node) {
    let parent = child.parent!
    guard child.outcome == nil else { return }
    if child.handles(fulfilled: parent.isFulfilled) { return jobs.append(child) }
    settle(child, parent.outcome!, fulfilled: parent.isFulfilled, told: parent.isTold)
  }

  /// C1, C3.
  func tell(_ node: Node, _ reason: String) {
    if node.isTold { return }
    if node.outcome == nil { return settle(node, reason, fulfilled: false, told: true) }
    for child in node.children { tell(child, reason) }
  }

  func drain() {
    while !jobs.isEmpty { run(jobs.removeFirst()) }
  }

  private func run(_ node: Node) {
    let parent = node.parent!
    if node.outcome != nil {
      // Withdrawn; a `finally` that was told runs once, from the job that says so.
      if node.kind == .finally, node.hasRun { finish(node) }
      return
    }
    node.hasRun = true
    let result = node.body(node.kind == .finally ? "finally" : parent.outcome!)
    if parent.isTold {
      var reason = parent.outcome!
      if case .error(let own) = result { reason = own }
      return settle(node, reason, fulfilled: false, told: true)
    }
    if node.kind == .finally, case .value = result {
      node.isResolved = true
      return settle(node, parent.outcome!, fulfilled: parent.isFulfilled)
    }
    resolve(node, result)
  }

  private func finish(_ node: Node) {
    guard let body = Optional(node.body), node.isTold else { return }
    node.body = { _ in .value("") }
    _ = body("finally")
  }
}
