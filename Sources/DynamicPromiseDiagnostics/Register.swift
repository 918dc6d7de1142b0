import DynamicPromise

/// The records of one census or recorder.
final class Register: PromiseListener {
  private struct Notes {
    /// By number, in the order of creation.
    var records: [Int: PromiseRecord] = [:]
    var living: [PromiseIdentity: Int] = [:]
    /// For each thread, the promises whose handlers it is running, the innermost last.
    var running: [UInt: [Int]] = [:]
    var made = 0
    var ended: Duration?
  }

  private let keepsEverything: Bool
  /// Whether to record only the roots and their descendants: true for a census with roots. A recorder selects
  /// afterwards, because a descendant may follow an older promise, which then needs a record.
  private let isSelective: Bool
  /// The number of roots, which are the first records; `nil` if there are no roots. A recorder reports only
  /// records that are related to the roots.
  private let roots: Int?
  private let begin = ContinuousClock.now
  private let notes: Guarded<Notes>

  init(keepsEverything: Bool, roots: [Promise]?) {
    self.keepsEverything = keepsEverything
    isSelective = roots != nil && !keepsEverything
    self.roots = roots.map { Set($0).count }
    var notes = Notes()
    for root in roots ?? [] where notes.living[root.identity] == nil {
      notes.made += 1
      notes.living[root.identity] = notes.made
      notes.records[notes.made] = PromiseRecord(number: notes.made, context: root.contextName, below: nil)
      notes.records[notes.made]!.origin = root.origin
      notes.records[notes.made]!.label = root.label
    }
    self.notes = Guarded(notes)
  }

  /// Records the outcomes of roots that settled before the register received events.
  func update(_ roots: [Promise]) {
    for root in roots {
      if let end = root.end { change(root.identity) { note(end, in: &$0) } }
    }
  }

  /// The records, in the order of creation.
  var records: [PromiseRecord] {
    let all = notes.with { $0.records }.values.sorted { $0.number < $1.number }
    guard keepsEverything, let roots else { return all }
    return all.relatives(ofFirst: roots)
  }

  /// The time until the end of the recording, or until now.
  var duration: Duration { notes.with { $0.ended } ?? now }

  func end() {
    let now = now
    notes.with { $0.ended = $0.ended ?? now }
  }

  private var now: Duration { keepsEverything ? ContinuousClock.now - begin : .zero }

  func made(_ promise: PromiseIdentity, parent: PromiseIdentity?, context: String) {
    let now = now
    notes.with { notes in
      if isSelective, parent.flatMap({ notes.living[$0] }) == nil { return }
      notes.made += 1
      let above = parent.flatMap { notes.living[$0] }.flatMap { notes.records[$0] }
      notes.living[promise] = notes.made
      notes.records[notes.made] = PromiseRecord(number: notes.made, context: context, below: above)
      notes.records[notes.made]!.made = now
    }
  }

  func placed(_ promise: PromiseIdentity, _ origin: Promise.Origin) { change(promise) { $0.origin = origin } }

  func settled(_ promise: PromiseIdentity, _ how: PromiseEnd, thread: UInt) {
    let now = now
    update(promise) { notes, number in
      note(how, in: &notes.records[number]!)
      notes.records[number]!.settled = now
      notes.records[number]!.settledDuring = notes.running[thread]?.last
    }
  }

  func began(_ promise: PromiseIdentity, thread: UInt) {
    let now = now
    update(promise) { notes, number in
      notes.records[number]!.handlerBegan = now
      notes.running[thread, default: []].append(number)
    }
  }

  func ended(_ promise: PromiseIdentity, thread: UInt) {
    let now = now
    update(promise) { notes, number in
      guard let last = notes.running[thread]?.lastIndex(of: number) else { return }
      notes.running[thread]!.remove(at: last)
      if notes.running[thread]!.isEmpty { notes.running[thread] = nil }
      notes.records[number]!.handlerEnded = now
    }
  }

  func combines(_ promise: PromiseIdentity, _ inputs: [PromiseIdentity], _ kind: String) {
    update(promise) { notes, number in
      notes.records[number]!.combinator = kind
      notes.records[number]!.inputs += inputs.compactMap { notes.living[$0] }
    }
  }

  func named(_ promise: PromiseIdentity, _ label: String, _ origin: Promise.Origin) {
    change(promise) { record in
      record.label = label.isEmpty ? nil : label
      if record.origin == nil { record.origin = origin }
    }
  }

  private func change(_ promise: PromiseIdentity, _ change: (inout PromiseRecord) -> Void) {
    update(promise) { notes, number in change(&notes.records[number]!) }
  }

  func follows(_ promise: PromiseIdentity, _ other: PromiseIdentity) {
    update(promise) { notes, number in
      if let target = notes.living[other] { notes.records[number]!.follows = target }
    }
  }

  func gone(_ promise: PromiseIdentity, isObserved: Bool) {
    notes.with { notes in
      guard let number = notes.living.removeValue(forKey: promise) else { return }
      if !keepsEverything {
        notes.records[number] = nil
      } else if notes.records[number]!.state == .pending {
        notes.records[number]!.state = .abandoned
      } else {
        notes.records[number]!.wasObserved = isObserved
      }
    }
  }

  /// Releases the records and their reasons, whose `deinit` is foreign code. Called before the register is
  /// released, because the last reference to the register may be released under a lock.
  func clear() {
    let former = notes.with { notes in
      defer { notes = Notes() }
      return notes
    }
    withExtendedLifetime(former) {}
  }

  private func note(_ end: PromiseEnd, in record: inout PromiseRecord) {
    switch end {
    case .fulfilled: record.state = .fulfilled
    case .rejected(let reason): (record.state, record.reason) = (.rejected, keepsEverything ? reason : nil)
    case .cancelled(let reason): (record.state, record.reason) = (.cancelled, keepsEverything ? reason : nil)
    }
  }

  /// Calls `body` with the number of the promise, if it has a record.
  private func update(_ promise: PromiseIdentity, _ body: (inout Notes, _ number: Int) -> Void) {
    notes.with { if let number = $0.living[promise] { body(&$0, number) } }
  }
}
