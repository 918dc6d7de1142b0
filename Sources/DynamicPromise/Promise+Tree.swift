// The tree around a promise as text, for people: ancestors, then everything pending below.

extension Promise {
  /// The promise's tree as it is now, one line for each promise: its ancestors from the root down, itself with a mark, and
  /// its descendants as far as they are pending or have pending descendants. A promise that follows another one says so, and
  /// one with a name begins with it (`named` of `DynamicPromiseDiagnostics`).
  ///
  /// Ancestors and descendants that are settled and held by nobody do not exist any more (L3). Nothing is observed (L5) and
  /// nothing kept by describing it.
  public var treeDescription: String { TreeText(withAddresses: false).text(of: self) }

  /// All that hangs below: not what remains of promises that are gone; that is handed on by them.
  fileprivate func nextGeneration() -> [Descendant] {
    var active: [Descendant] = []
    var waiting: [Descendant] = []
    let bits = word.lock()
    collectActive(&active)
    collectWaiting(&waiting)
    word.unlock(bits)
    // The newest of those that wait no longer stands first in its list.
    return active.reversed() + waiting
  }

  /// The promise that this one has adopted and waits for.
  fileprivate var followed: Promise? {
    let bits = word.lock()
    let followed = bits & State.hasTarget != 0 ? store.target() : nil
    word.unlock(bits)
    return followed
  }
}

extension Promise: CustomDebugStringConvertible {
  /// ``treeDescription`` with the promises' addresses.
  public var debugDescription: String { TreeText(withAddresses: true).text(of: self) }
}

extension Future: CustomDebugStringConvertible {
  /// See ``Promise/treeDescription``.
  public var treeDescription: String { promise.treeDescription }

  /// See ``Promise/debugDescription``.
  public var debugDescription: String { promise.debugDescription }
}

/// Walks with a list of its own, so that depth costs no stack (L4). Calls nobody's `description` under a lock.
private struct TreeText {
  /// Deeper lines say their depth instead of being indented, or else a deep chain's text would grow with its square.
  private static let deepestIndent = 24

  let withAddresses: Bool
  private var lines: [(text: String, depth: Int, isPending: Bool)] = []

  init(withAddresses: Bool) { self.withAddresses = withAddresses }

  func text(of promise: Promise) -> String {
    Walkers.add()
    defer { Walkers.remove() }
    var text = self
    var ancestors: [Promise] = []
    var next = promise.parent
    while let ancestor = next {
      ancestors.append(ancestor)
      next = ancestor.parent
    }
    for (depth, ancestor) in ancestors.reversed().enumerated() {
      text.add(ancestor, ancestor.followed, depth, mark: "")
    }

    var stack: [(Descendant, depth: Int)] = [(.promise(promise), ancestors.count)]
    while let (descendant, depth) = stack.popLast() {
      switch descendant {
      case .promise(let current):
        let below = current.nextGeneration()
        let mark = current === promise && !ancestors.isEmpty ? "  <--" : ""
        text.add(current, current.followed, depth, mark: mark)
        stack += below.reversed().map { ($0, depth + 1) }
      case .member(let member):
        // What remains of a promise that is gone only hands on.
        var below: [Descendant] = []
        let existing = member.promise(orBelow: &below)
        stack += existing.map { [(.promise($0), depth)] } ?? below.map { ($0, depth) }
      }
    }
    return text.joined(downTo: ancestors.count)
  }

  /// The lines, but for settled promises with nothing pending below. Those above `first` and that one stay.
  private func joined(downTo first: Int) -> String {
    var kept: [String] = []
    var depthBelow = 0
    for (index, line) in lines.enumerated().reversed() {
      guard index <= first || line.isPending || line.depth < depthBelow else { continue }
      kept.append(line.text)
      depthBelow = line.depth
    }
    return kept.reversed().joined(separator: "\n")
  }

  private mutating func add(_ promise: Promise, _ followed: Promise?, _ depth: Int, mark: String) {
    var line = String(repeating: "  ", count: min(depth, Self.deepestIndent))
    if depth > Self.deepestIndent { line += "[\(depth)] " }
    line += name(promise)
    if let followed { line += " follows \(name(followed))" }
    lines.append((line + mark, depth, promise.isPending))
  }

  private func name(_ promise: Promise) -> String {
    let label = promise.label.map { "\($0): " } ?? ""
    guard withAddresses else { return label + promise.description }
    let address = UInt(bitPattern: Unmanaged.passUnretained(promise).toOpaque())
    return "\(label)\(promise.description) at 0x\(String(address, radix: 16))"
  }
}
