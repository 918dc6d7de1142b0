// The tree around a promise as text: the ancestors, the promise, and its pending descendants.

import DynamicPromise

extension Promise {
  /// The promise's current tree, one line for each promise. The ancestors are first, from the root down. The
  /// promise itself is next, with a mark. All descendants that are pending or have pending descendants are
  /// last. A line begins with the promise's name, if any (``DynamicPromise/Promise/named(_:fileID:line:)``),
  /// and states whether the promise follows another promise.
  ///
  /// Deallocated ancestors and descendants are missing. Concurrent changes may be missing too. The call
  /// observes no rejection, and the text retains no promise.
  public var treeDescription: String { TreeText().text(of: self) }
}

/// Not recursive, because a tree may have any depth. Calls no foreign `description` under a lock.
private struct TreeText {
  /// Lines below this depth are not indented further, and state their depth. Otherwise the text of a chain
  /// would grow with the square of its length.
  private static let deepestIndent = 24

  private var lines: [(text: String, depth: Int, isPending: Bool)] = []

  func text(of promise: Promise) -> String {
    var text = self
    var ancestors: [Promise] = []
    var next = promise.parent
    while let ancestor = next {
      ancestors.append(ancestor)
      next = ancestor.parent
    }
    for (depth, ancestor) in ancestors.reversed().enumerated() { text.add(ancestor, depth, mark: "") }

    var stack: [(Promise, depth: Int)] = [(promise, ancestors.count)]
    while let (current, depth) = stack.popLast() {
      let children = current.readChildren()
      text.add(current, depth, mark: current === promise && !ancestors.isEmpty ? "  <--" : "")
      stack += children.reversed().map { ($0, depth + 1) }
    }
    return text.joined(downTo: ancestors.count)
  }

  /// The lines, without settled promises that have no pending descendant. Lines up to the index `first` are
  /// kept.
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

  private mutating func add(_ promise: Promise, _ depth: Int, mark: String) {
    var line = String(repeating: "  ", count: min(depth, Self.deepestIndent))
    if depth > Self.deepestIndent { line += "[\(depth)] " }
    line += name(promise)
    if let followed = promise.followed { line += " follows \(name(followed))" }
    lines.append((line + mark, depth, promise.isPending))
  }

  private func name(_ promise: Promise) -> String {
    (promise.label.map { oneLine($0, limit: 200) + ": " } ?? "") + promise.description
  }
}
