// The reference for `RandomProgramTests`: promises as the Spec describes them, with recursion, strong
// references and no thought for threads or speed. This file: settling, handlers, cancelling (2.2, 2.3, C1 to
// C3, C9). Who wants a promise and what becomes of one without consumers is in `Model+Withdrawal.swift`,
// combinators in `Model+Combinators.swift`.
//
// It is not promised in which order the promises of a tree are visited, nor in which order handlers of
// different promises run. So a model takes its choices from outside, and several models that choose
// differently show what follows from the Spec alone: what all of them say.

import DynamicPromise

final class Model: @unchecked Sendable {
  /// What a node does with its parent's outcome. `none` is a root or a child without handlers, a timer
  /// included.
  enum Kind: CaseIterable { case value, reason, both, finally, none, shield }

  enum Result {
    case value(String), error(String), promise(Node)
    /// A thenable that rejects: only the resolution procedure finds out.
    case lateError(String)
  }

  final class Node: @unchecked Sendable {
    let number: Int
    let parent: Node?
    let kind: Kind
    var body: (String) -> Result = { _ in .value("") }
    var outcome: String?
    var isFulfilled = false
    var isCancelledByRequest = false
    var isResolved = false
    var hasStarted = false
    var adopted: Node?
    var children: [Node] = []
    /// The first reason of a withdrawal. The node is unwanted.
    var mark: String?
    /// Counts at its parent no longer: it has no consumer.
    var hasLeft = false
    /// The cancel began here: it fares like a child of a cancelled promise, whatever becomes of its parent.
    var isStart = false
    var combination: Combination?

    init(_ number: Int, _ parent: Node?, _ kind: Kind) {
      (self.number, self.parent, self.kind) = (number, parent, kind)
    }

    var isPending: Bool { outcome == nil }

    func handles(fulfilled: Bool) -> Bool {
      kind == .both || kind == .finally || kind == (fulfilled ? .value : .reason)
    }
  }

  /// A handler that waits in its context.
  private struct Job {
    let node: Node
    let input: String
    /// Of a promise that was cancelled by request, and so of a child that is cancelled when the handler
    /// returns.
    let isCancelledByRequest: Bool
  }

  private(set) var all: [Node] = []
  var readers: [Reader] = []
  let runs = Log<String>()
  private var jobs: [Job] = []
  private var cleanUps: [Node] = []
  /// What is still to be done about what has settled.
  private var notifications: [() -> Void] = []
  /// One of so many.
  let choose: (Int) -> Int

  init(choosing choose: @escaping (Int) -> Int) { self.choose = choose }

  /// The same in an order of this model's choice.
  func shuffled<T>(_ items: [T]) -> [T] {
    var (rest, result) = (items, [T]())
    while !rest.isEmpty { result.append(rest.remove(at: choose(rest.count))) }
    return result
  }

  func add(_ node: Node) {
    all.append(node)
    guard let parent = node.parent else { return }
    parent.children.append(node)
    if !parent.isPending { pass(parent, to: node) }
  }

  /// 2.3; the first resolution wins (A2.11).
  func resolve(_ node: Node, _ result: Result) {
    guard !node.isResolved else { return }
    node.isResolved = true
    // C4.8: cancelled before it adopts.
    if node.isCancelledByRequest, case .promise(let other) = result {
      return withdraw(from: other, node.outcome!)
    }
    guard node.isPending else { return }
    switch result {
    case .value(let value): settle(node, value, fulfilled: true)
    case .error(let reason), .lateError(let reason): settle(node, reason, fulfilled: false)
    case .promise(let other):
      var end: Node? = other
      while let next = end, next !== node { end = next.isPending ? next.adopted : nil }
      if end === node { return settle(node, "cycle", fulfilled: false) }
      if !other.isPending { return follow(other, by: node) }
      node.adopted = other
    }
  }

  /// C4.4: an adopter is cancelled by request if the adopted one is.
  private func follow(_ other: Node, by node: Node) {
    settle(node, other.outcome!, fulfilled: other.isFulfilled, cancelled: other.isCancelledByRequest)
  }

  func settle(_ node: Node, _ outcome: String, fulfilled: Bool, cancelled: Bool = false) {
    guard node.isPending else { return }
    (node.outcome, node.isFulfilled, node.isCancelledByRequest) = (outcome, fulfilled, cancelled)
    // C9.4
    if cancelled, node.kind == .finally, !node.hasStarted {
      node.hasStarted = true
      cleanUps.append(node)
    }
    if cancelled, let adopted = node.adopted { withdraw(from: adopted, outcome) }
    concludeCombination(of: node)
    notifications += all.filter { $0.adopted === node }.map { adopter in { self.follow(node, by: adopter) } }
    notifications += node.children.map { child in { self.pass(node, to: child) } }
    notifications += all.filter { $0.combination != nil }
      .map { result in { self.combine(result, after: node) } }
  }

  /// Notifies those who wait for what has settled, in an order of this model's choice.
  func notifyAll() {
    while !notifications.isEmpty { notifications.remove(at: choose(notifications.count))() }
  }

  /// 2.2: to the child's handler, or on.
  private func pass(_ parent: Node, to child: Node) {
    guard child.isPending, !child.isStart else { return }
    guard child.handles(fulfilled: parent.isFulfilled) else {
      return settle(
        child, parent.outcome!, fulfilled: parent.isFulfilled, cancelled: parent.isCancelledByRequest)
    }
    jobs.append(Job(node: child, input: parent.outcome!, isCancelledByRequest: parent.isCancelledByRequest))
  }

  /// C1, C3.
  func propagateCancel(to node: Node, _ reason: String) {
    if node.isCancelledByRequest { return }
    if node.isPending { return settle(node, reason, fulfilled: false, cancelled: true) }
    for child in shuffled(node.children) { propagateCancel(to: child, reason) }
  }

  /// C2, for the promise where a cancel starts (C4.11): like a child of a promise that was cancelled with
  /// this reason. A handler that has started is not interrupted, one that waits is withdrawn.
  func start(_ node: Node, _ reason: String) {
    if node.parent?.isCancelledByRequest == true, node.handles(fulfilled: false) { return }
    guard node.handles(fulfilled: false), !node.hasStarted else { return propagateCancel(to: node, reason) }
    node.isStart = true
    jobs.removeAll { $0.node === node }
    jobs.append(Job(node: node, input: reason, isCancelledByRequest: true))
  }

  /// Runs the handlers that wait, and those that are scheduled meanwhile.
  func drain() {
    while jobs.count + cleanUps.count > 0 {
      let index = choose(jobs.count + cleanUps.count)
      if index < jobs.count {
        run(jobs.remove(at: index))
      } else {
        cleanUp(cleanUps.remove(at: index - jobs.count))
      }
      takeEffect()
    }
  }

  private func run(_ job: Job) {
    let node = job.node
    // C9.2
    guard node.isPending else { return }
    node.hasStarted = true
    let result = node.body(node.kind == .finally ? "finally" : job.input)
    // C2.2, C2.4
    if job.isCancelledByRequest {
      var reason = job.input
      if case .error(let own) = result { reason = own }
      return settle(node, reason, fulfilled: false, cancelled: true)
    }
    if node.kind == .finally, case .value = result {
      node.isResolved = true
      return settle(node, job.input, fulfilled: node.parent!.isFulfilled)
    }
    resolve(node, result)
  }

  private func cleanUp(_ node: Node) { _ = node.body("finally") }
}
