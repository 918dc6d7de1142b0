extension [PromiseRecord] {
  /// The first `roots` records and all related ones, renumbered: parents, followed promises, and inputs of
  /// combinators. All records are in the order of their numbers.
  func relatives(ofFirst roots: Int) -> [PromiseRecord] {
    var links: [Int: [Int]] = [:]
    for record in self {
      for other in record.inputs + [record.parent, record.follows].compactMap({ $0 }) {
        links[record.number, default: []].append(other)
        links[other, default: []].append(record.number)
      }
    }
    var found = Set(prefix(roots).map(\.number))
    var next = [Int](found)
    while let number = next.popLast() {
      for other in links[number] ?? [] where found.insert(other).inserted { next.append(other) }
    }
    let chosen = filter { found.contains($0.number) }
    let numbers = Dictionary(uniqueKeysWithValues: zip(chosen.map(\.number), 1...))
    return chosen.map { record in
      var record = record
      record.number = numbers[record.number]!
      record.parent = record.parent.flatMap { numbers[$0] }
      record.follows = record.follows.flatMap { numbers[$0] }
      record.settledDuring = record.settledDuring.flatMap { numbers[$0] }
      record.inputs = record.inputs.compactMap { numbers[$0] }
      return record
    }
  }
}
