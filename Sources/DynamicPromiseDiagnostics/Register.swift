// What is noted of promises, and by whom.

import Dispatch
import DynamicPromise

/// The notes of one census or recorder.
final class Register: Sendable {
  private struct Notes {
    /// By number, which is the order of making.
    var records: [Int: PromiseRecord] = [:]
    var living: [ObjectIdentifier: Int] = [:]
    var made = 0
  }

  private let keepsEverything: Bool
  /// Whether only what stands below promises that are noted already is noted.
  private let isSelective: Bool
  private let lock = DispatchSemaphore(value: 1)
  private nonisolated(unsafe) var notes = Notes()

  init(keepsEverything: Bool, roots: [Promise]?) {
    self.keepsEverything = keepsEverything
    isSelective = roots != nil
    for root in roots ?? [] where notes.living[ObjectIdentifier(root)] == nil {
      notes.made += 1
      notes.living[ObjectIdentifier(root)] = notes.made
      notes.records[notes.made] = PromiseRecord(number: notes.made, context: root.contextName, below: nil)
      notes.records[notes.made]!.origin = root.origin
      notes.records[notes.made]!.label = root.label
    }
  }

  /// Settles the roots that had settled before, or while nobody listened.
  func update(_ roots: [Promise]) {
    for root in roots {
      if let end = root.end { change(ObjectIdentifier(root)) { $0.state = .init(end) } }
    }
  }

  /// The records, in the order of making.
  var records: [PromiseRecord] { locked { $0.records.values.sorted { $0.number < $1.number } } }

  func made(_ promise: ObjectIdentifier, parent: ObjectIdentifier?, context: String) {
    locked { notes in
      if isSelective, parent.flatMap({ notes.living[$0] }) == nil { return }
      notes.made += 1
      let above = parent.flatMap { notes.living[$0] }.flatMap { notes.records[$0] }
      notes.living[promise] = notes.made
      notes.records[notes.made] = PromiseRecord(number: notes.made, context: context, below: above)
    }
  }

  func change(_ promise: ObjectIdentifier, _ change: (inout PromiseRecord) -> Void) {
    locked { notes in
      guard let number = notes.living[promise] else { return }
      change(&notes.records[number]!)
    }
  }

  func follows(_ promise: ObjectIdentifier, _ other: ObjectIdentifier) {
    locked { notes in
      guard let number = notes.living[promise], let target = notes.living[other] else { return }
      notes.records[number]!.follows = target
    }
  }

  func gone(_ promise: ObjectIdentifier) {
    locked { notes in
      guard let number = notes.living.removeValue(forKey: promise) else { return }
      if !keepsEverything {
        notes.records[number] = nil
      } else if notes.records[number]!.state == .pending {
        notes.records[number]!.state = .abandoned
      }
    }
  }

  private func locked<Result>(_ body: (inout Notes) -> Result) -> Result {
    lock.wait()
    defer { lock.signal() }
    return body(&notes)
  }
}

/// Listens to all promises, and notifies every register that is in use.
final class Hub: PromiseListener {
  static let shared = Hub()

  private let lock = DispatchSemaphore(value: 1)
  private nonisolated(unsafe) var registers: [Register] = []

  private var current: [Register] {
    lock.wait()
    defer { lock.signal() }
    return registers
  }

  func add(_ register: Register) {
    lock.wait()
    registers.append(register)
    if registers.count == 1 { Diagnosis.install(self) }
    lock.signal()
  }

  func remove(_ register: Register) {
    lock.wait()
    registers.removeAll { $0 === register }
    if registers.isEmpty { Diagnosis.remove() }
    lock.signal()
  }

  func made(_ promise: ObjectIdentifier, parent: ObjectIdentifier?, context: String) {
    for register in current { register.made(promise, parent: parent, context: context) }
  }

  func placed(_ promise: ObjectIdentifier, _ origin: Promise.Origin) {
    for register in current { register.change(promise) { $0.origin = origin } }
  }

  func follows(_ promise: ObjectIdentifier, _ other: ObjectIdentifier) {
    for register in current { register.follows(promise, other) }
  }

  func settled(_ promise: ObjectIdentifier, _ how: PromiseEnd) {
    for register in current {
      register.change(promise) { $0.state = .init(how) }
    }
  }

  func gone(_ promise: ObjectIdentifier) { for register in current { register.gone(promise) } }

  func name(_ promise: Promise, _ label: String, _ origin: Promise.Origin) {
    for register in current {
      register.change(ObjectIdentifier(promise)) { record in
        record.label = label.isEmpty ? nil : label
        if record.origin == nil { record.origin = origin }
      }
    }
  }
}

extension PromiseRecord.State {
  fileprivate init(_ end: PromiseEnd) {
    switch end {
    case .fulfilled: self = .fulfilled
    case .rejected: self = .rejected
    case .cancelled: self = .cancelled
    }
  }
}

extension Future {
  /// Gives the promise a name: for ``treeDescription``, for every ``Census`` and ``Recorder`` that is under
  /// way, and for those that begin with this promise. Those under way, unless the promise was made with a
  /// resolver, note the place of this call as its origin.
  ///
  /// The last name counts; the empty text takes it away. A name costs some memory as long as its promise
  /// lives.
  @discardableResult
  public final func named(_ label: String, fileID: StaticString = #fileID, line: UInt = #line) -> Self {
    promise.label = label
    Hub.shared.name(promise, label, Promise.Origin(fileID: fileID, line: line))
    return self
  }
}
