/// For each pending record, the records that it waits for, down to the record that must settle first.
struct WaitPaths {
  /// A longer path shows this many names, the number of omitted records, and the last name.
  private static let mostNames = 8

  private var records: [Int: PromiseRecord] = [:]
  /// The record that each pending record waits for, and the number of further inputs that a combinator waits
  /// for.
  private var targets: [Int: (number: Int, others: Int)] = [:]
  /// For each record, the first pending record below it.
  private var below: [Int: Int] = [:]
  /// The records that wait for themselves.
  private var rings: Set<Int> = []
  /// The results of ``end(of:)``.
  private var ends: [Int: (number: Int, distance: Int)] = [:]

  init(_ records: [PromiseRecord]) {
    self.records = Dictionary(uniqueKeysWithValues: records.map { ($0.number, $0) })
    for record in records where record.state == .pending {
      var above = record.parent
      while let number = above, below[number] == nil {
        below[number] = record.number
        above = self.records[number]?.parent
      }
    }
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

  /// The records for which others wait in the end.
  mutating func causes() -> Set<Int> {
    rings.union(targets.keys.map { end(of: records[$0]!).number })
  }

  /// `page waits for #3 → #2 → #1, made at ..., which has not been settled`
  mutating func text(of record: PromiseRecord) -> String {
    let (last, distance) = end(of: record)
    var names: [String] = []
    var number = record.number
    repeat {
      guard names.count < Self.mostNames, let target = targets[number] else { break }
      let (kind, follows) = (records[number]!.combinator ?? "", records[number]!.follows)
      let place = kind.hasPrefix("queue") && !isPending(follows) ? " in a \(kind)" : ""
      number = target.number
      let others = target.others == 0 ? "" : " and \(target.others) other\(target.others == 1 ? "" : "s")"
      names.append(name(of: records[number]!) + others + place)
    } while number != last
    if number != last {
      if distance > names.count + 1 { names.append("\(distance - names.count - 1) more") }
      names.append(name(of: records[last]!))
    }
    let waits = names.isEmpty ? "" : " waits for " + names.joined(separator: " → ")
    return name(of: record) + waits + reason(of: records[last]!)
  }

  /// The settled record to which the work of an `unfinished` record belongs.
  private func unfinished(_ record: PromiseRecord) -> PromiseRecord? {
    record.combinator == "unfinished" ? record.parent.flatMap { records[$0] } : nil
  }

  private func name(of record: PromiseRecord) -> String {
    unfinished(record).map { "\($0.name) (\($0.state), unfinished)" } ?? record.name
  }

  /// Explains why a record that waits for no other record is pending.
  private func reason(of record: PromiseRecord) -> String {
    let subject = unfinished(record) ?? record
    let place = subject.origin.map { ", made at \($0)" } ?? ""
    if rings.contains(record.number) { return place + ", which waits for itself" }
    let cause =
      switch subject.combinator {
      case let kind? where kind.hasPrefix("queue") && subject.state == .pending: "which waits in a \(kind)"
      case "timer": "whose timer has not fired"
      case "task": "whose task has not ended"
      case _ where subject.handlerBegan != nil && subject.handlerEnded == nil: "whose handler is running"
      case _ where subject.number != record.number: "whose clean-up or callback has not ended"
      case _ where subject.handlerBegan != nil: "whose handler has returned another promise"
      case _: record.parent == nil ? "which has not been settled" : "whose handler has not run yet"
      }
    return "\(place), \(cause)"
  }

  private func isPending(_ number: Int?) -> Bool { number.flatMap { records[$0] }?.state == .pending }

  private func target(of record: PromiseRecord) -> (number: Int, others: Int)? {
    let subject = unfinished(record) ?? record
    if let followed = subject.follows, isPending(followed) { return (followed, 0) }
    let inputs = subject.inputs.filter { isPending($0) }
    if let first = inputs.first { return (first, inputs.count - 1) }
    // Settled promises with unfinished work.
    if record.parent == nil || subject.number != record.number {
      let work = ([subject.follows].compactMap(\.self) + subject.inputs).lazy.compactMap { below[$0] }
      if let first = work.first(where: { $0 != record.number }) { return (first, 0) }
    }
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
