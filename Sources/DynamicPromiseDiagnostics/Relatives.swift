/// The relations between records: parents, followed promises, and inputs of combinators.
struct Relatives {
  private let records: [PromiseRecord]

  /// All records, in the order of their numbers.
  init(_ records: [PromiseRecord]) { self.records = records }

  /// The first `roots` records and all related ones, renumbered.
  func of(_ roots: Int) -> [PromiseRecord] {
    var links: [Int: [Int]] = [:]
    for record in records {
      for other in record.inputs + [record.parent, record.follows].compactMap({ $0 }) {
        links[record.number, default: []].append(other)
        links[other, default: []].append(record.number)
      }
    }
    var found = Set(records.prefix(roots).map(\.number))
    var next = Array(found)
    while let number = next.popLast() {
      for other in links[number] ?? [] where found.insert(other).inserted { next.append(other) }
    }
    let chosen = records.filter { found.contains($0.number) }
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
