// The reference for C4 and C5, sentence by sentence: who consumes a promise, and what becomes of one that
// is unwanted.

extension Model {
  /// A task that awaits a promise, or an iteration of `results(of:)`.
  final class Reader {
    let node: Node
    let withdraws: Bool
    var hasLeft = false

    init(_ node: Node, withdraws: Bool) { (self.node, self.withdraws) = (node, withdraws) }
  }

  /// Whether a pending promise has consumers.
  func isWanted(_ node: Node) -> Bool {
    // Pending adopters.
    all.contains { $0.isPending && $0.adopted === node }
      // Pending children with a handler for the value; other pending children while they have a consumer
      // themselves.
      || node.children.contains { child in
        child.isPending && !child.hasLeft
          && (child.kind == .value || child.kind == .both || child.kind == .shield || isWanted(child))
      }
      // Undecided combinators.
      || all.contains { $0.isPending && $0.combination?.inputs.contains { $0 === node } == true }
      // Readers.
      || readers.contains { !$0.hasLeft && $0.node === node }
  }

  /// "To withdraw marks the promise as unwanted; the first reason stays." What that comes to: `takeEffect`.
  func withdraw(from node: Node, _ reason: String) {
    guard node.isPending, node.kind != .shield else { return }
    node.mark = node.mark ?? reason
  }

  /// "An unwanted promise without consumers marks its parent, if that is pending, and counts there no longer;
  /// where the parent has consumers left or is not pending, the message starts." After whatever may have made
  /// a consumer leave.
  func takeEffect() {
    notifyAll()
    while let node = shuffled(all.filter { $0.isPending && $0.mark != nil && !$0.hasLeft && !isWanted($0) })
      .first
    {
      node.hasLeft = true
      if let parent = node.parent, parent.isPending, parent.kind != .shield {
        parent.mark = parent.mark ?? node.mark
        // Its turn is next; or its own cancel has begun, and comes down to here.
        if !isWanted(parent) { continue }
      }
      start(node, node.mark!)
      notifyAll()
    }
  }

  func read(_ node: Node, withdraws: Bool) -> Reader {
    let reader = Reader(node, withdraws: withdraws)
    readers.append(reader)
    return reader
  }

  /// The reader's task is cancelled, or the iteration ends.
  func leave(_ reader: Reader) {
    guard !reader.hasLeft else { return }
    reader.hasLeft = true
    if reader.withdraws { withdraw(from: reader.node, "cancellation") }
  }
}
