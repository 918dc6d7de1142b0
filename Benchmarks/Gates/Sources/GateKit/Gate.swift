// Compares counted figures with the known ones in `Benchmarks/gates.txt`.

/// Figures by name. A figure may fall at any time, and may not rise.
package struct Gate: Sendable {
  /// The tolerated rise of a figure per 1000 steps or inputs, because Dispatch's caches per thread differ
  /// between runs. For comparison, one more allocation in every step is a rise of 1000.
  package static let slack = 5

  private var figures: [(name: String, figure: Int)] = []

  package init() {}

  package mutating func add(_ name: String, _ figure: Int) { figures.append((name, figure)) }

  private subscript(name: String) -> Int? { figures.first { $0.name == name }?.figure }

  package struct Mistake: Error, CustomStringConvertible {
    package let description: String
  }

  /// Reads lines `name: figure`; `#` begins a comment.
  package init(text: String) throws {
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.split(separator: ":")
      guard parts.count == 2, let figure = Int(parts[1].drop { $0 == " " }) else {
        throw Mistake(description: "not a figure: \(line)")
      }
      add(String(parts[0]), figure)
    }
  }

  /// The lines that `init(text:)` reads.
  package var text: String { figures.map { "\($0.name): \($0.figure)\n" }.joined() }

  /// The result of a comparison: one line for each changed figure.
  package struct Comparison: Equatable, Sendable {
    /// Figures that rose, and names that only one side has.
    package var failures: [String] = []
    /// Figures that fell, so that the known figure can be lowered.
    package var improvements: [String] = []

    package init() {}
  }

  /// Compares counted figures with these known figures. Both sides must have the same names.
  package func compared(with counted: Gate) -> Comparison {
    var comparison = Comparison()
    for (name, known) in figures {
      guard let figure = counted[name] else {
        comparison.failures.append("\(name): not counted any more")
        continue
      }
      let slack = name.contains("per 1000") ? Self.slack : 0
      if figure > known + slack { comparison.failures.append("\(name): \(figure), was \(known)") }
      if figure < known { comparison.improvements.append("\(name): \(figure), was \(known)") }
    }
    for (name, figure) in counted.figures where self[name] == nil {
      comparison.failures.append("\(name): \(figure), not known yet")
    }
    return comparison
  }
}
