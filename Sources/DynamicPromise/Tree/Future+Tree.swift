// The tree around a promise as text, for people: ancestors, then everything pending below.

extension Future {
  /// The promise's tree as it is now, one line for each promise: its ancestors from the root down, itself
  /// with a mark, and its descendants as far as they are pending or have pending descendants. A promise that
  /// follows another one says so, and one with a name begins with it (`named` of
  /// `DynamicPromiseDiagnostics`).
  ///
  /// Ancestors and descendants that are settled and held by nobody do not exist any more. Nothing is observed
  /// and nothing kept by describing it.
  public final var treeDescription: String { TreeText(withAddresses: false).text(of: promise) }
}

extension Promise {
  /// What stands below: settled and running children, the newest last, then those that wait.
  fileprivate func nextGeneration() -> [Promise] {
    var below: [Promise] = []
    var dying: [Promise] = []
    lock.lock()
    collect(into: &below)
    lock.unlock()
    swap(&dying, &below)
    return dying
  }

  /// With the lock held.
  private func collect(into below: inout [Promise]) {
    var active: [Promise] = []
    node?.collect(into: &active)
    below += active.reversed()
    var child = waiting.first
    while let current = child {
      below.append(current)
      child = waiting.following(current)
    }
  }

  fileprivate var followed: Promise? {
    let adoption: Adoption? = lock.with {
      if case .following(.promise(let adoption)) = state { adoption } else { nil }
    }
    return adoption?.followed
  }
}

extension Future: CustomDebugStringConvertible {
  /// ``treeDescription`` with the promises' addresses.
  public final var debugDescription: String { TreeText(withAddresses: true).text(of: promise) }
}

/// Walks with a list of its own, so that depth costs no stack (L4). Calls nobody's `description` under a lock.
private struct TreeText {
  /// Deeper lines say their depth instead of being indented, or else a deep chain's text would grow with its square.
  private static let deepestIndent = 24

  let withAddresses: Bool
  private var lines: [(text: String, depth: Int, isPending: Bool)] = []

  init(withAddresses: Bool) { self.withAddresses = withAddresses }

  func text(of promise: Promise) -> String {
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

    var stack: [(Promise, depth: Int)] = [(promise, ancestors.count)]
    while let (current, depth) = stack.popLast() {
      let mark = current === promise && !ancestors.isEmpty ? "  <--" : ""
      let below = current.nextGeneration()
      text.add(current, current.followed, depth, mark: mark)
      stack += below.reversed().map { ($0, depth + 1) }
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
    let address = UInt(bitPattern: ObjectIdentifier(promise))
    return "\(label)\(promise.description) at 0x\(String(address, radix: 16))"
  }
}

extension TreeNode {
  /// The children below which something may be pending, newest first; those of one that is on its way out in its place.
  fileprivate func collect(into active: inout [Promise]) {
    var member = firstChild
    while let child = member, child.isEnrolled {
      if let promise = child.promoted() { active.append(promise) } else { child.collect(into: &active) }
      member = child.next
    }
  }
}
