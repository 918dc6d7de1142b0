/// For each pending record, the records that it waits for, down to the record that must settle first.
struct WaitPaths {
  /// A longer path shows this many names, the number of omitted records, and the last name.
  private static let mostNames = 8

  private var records: [Int: PromiseRecord] = [:]
  /// The record that each pending record waits for, and the number of further inputs that a combinator waits
  /// for.
  private var targets: [Int: (number: Int, others: Int)] = [:]
  /// The records that wait for themselves.
  private var rings: Set<Int> = []
  /// The results of ``end(of:)``.
  private var ends: [Int: (number: Int, distance: Int)] = [:]

  init(_ records: [PromiseRecord]) {
    self.records = Dictionary(uniqueKeysWithValues: records.map { ($0.number, $0) })
    for record in records where record.state == .pending { targets[record.number] = target(of: record) }
    var seen: Set<Int> = []
    for start in targets.keys {
      var way: [Int] = []
      var next: Int? = start
      while let number = next, seen.insert(number).inserted {
        way.append(number)
        next = targets[number]?.number
      }
      if let next, let first = way.firstIndex(of: next) { rings.formUnion(way[first...]) }
    }
  }

  /// The paths of the pending records that no other record waits for, in the order of creation; then those of
  /// the rings, each from its first record.
  mutating func texts() -> [String] {
    var awaited = Set(targets.values.map(\.number))
    // `targets` has only one input of each combinator, but all its inputs are awaited.
    for record in records.values where record.state == .pending { awaited.formUnion(record.inputs) }
    let starts = records.values.filter { $0.state == .pending && !awaited.contains($0.number) }
    var texts = starts.sorted { $0.number < $1.number }.map { text(of: $0) }
    var left = rings
    while let first = left.min() {
      texts.append(text(of: records[first]!))
      var number = first
      while left.remove(number) != nil { number = targets[number]!.number }
    }
    return texts
  }

  /// `page waits for #3 <- #2 <- #1, made at ..., which has not been settled`
  mutating func text(of record: PromiseRecord) -> String {
    let (last, distance) = end(of: record)
    var names: [String] = []
    var number = record.number
    repeat {
      guard names.count < Self.mostNames, let target = targets[number] else { break }
      number = target.number
      let others = target.others == 0 ? "" : " and \(target.others) other\(target.others == 1 ? "" : "s")"
      names.append(records[number]!.name + others)
    } while number != last
    if number != last {
      if distance > names.count + 1 { names.append("\(distance - names.count - 1) more") }
      names.append(records[last]!.name)
    }
    let waits = names.isEmpty ? "" : " waits for " + names.joined(separator: " <- ")
    return record.name + waits + reason(of: records[last]!)
  }

  /// Explains why a record that waits for no other record is pending.
  private func reason(of record: PromiseRecord) -> String {
    let place = record.origin.map { ", made at \($0)" } ?? ""
    if rings.contains(record.number) { return place + ", which waits for itself" }
    if record.combinator == "queue" { return place + ", which waits in a queue" }
    if record.handlerBegan != nil { return place + ", whose handler has begun" }
    let cause = record.parent == nil ? "which has not been settled" : "whose handler or timer has not run yet"
    return "\(place), \(cause)"
  }

  private func target(of record: PromiseRecord) -> (number: Int, others: Int)? {
    func isPending(_ number: Int) -> Bool { records[number]?.state == .pending }
    if let followed = record.follows, isPending(followed) { return (followed, 0) }
    let inputs = record.inputs.filter(isPending)
    if let first = inputs.first { return (first, inputs.count - 1) }
    return record.parent.flatMap { isPending($0) ? ($0, 0) : nil }
  }

  /// The end of a path and its distance. Not recursive, because a path may have any length. The result is
  /// stored for every record on the path, so that many branches of a long chain take linear time.
  private mutating func end(of record: PromiseRecord) -> (number: Int, distance: Int) {
    var way: [Int] = []
    var seen: Set<Int> = []
    var current = record.number
    while ends[current] == nil, seen.insert(current).inserted, let target = targets[current] {
      way.append(current)
      current = target.number
    }
    var (end, distance) = ends[current] ?? (current, 0)
    for number in way.reversed() {
      distance += 1
      ends[number] = (end, distance)
    }
    if way.isEmpty { ends[record.number] = (end, distance) }
    return ends[record.number]!
  }
}
