import DynamicPromise

/// Listens to all promises, and sends the events to every census, recorder and other listener.
final class Hub: PromiseListener {
  static let shared = Hub()

  private let listeners = Guarded<[any PromiseListener]>([])

  private var current: [any PromiseListener] { listeners.with { $0 } }

  func add(_ listener: any PromiseListener) {
    listeners.with { listeners in
      listeners.append(listener)
      if listeners.count == 1 { Diagnosis.install(self) }
    }
  }

  func remove(_ listener: any PromiseListener) {
    listeners.with { listeners in
      listeners.removeAll { $0 === listener }
      if listeners.isEmpty { Diagnosis.remove() }
    }
  }

  func made(_ promise: PromiseIdentity, parent: PromiseIdentity?, context: String) {
    for listener in current { listener.made(promise, parent: parent, context: context) }
  }

  func placed(_ promise: PromiseIdentity, _ origin: Promise.Origin) {
    for listener in current { listener.placed(promise, origin) }
  }

  func follows(_ promise: PromiseIdentity, _ other: PromiseIdentity) {
    for listener in current { listener.follows(promise, other) }
  }

  func settled(_ promise: PromiseIdentity, _ how: PromiseEnd, thread: UInt) {
    for listener in current { listener.settled(promise, how, thread: thread) }
  }

  func gone(_ promise: PromiseIdentity, isObserved: Bool) {
    for listener in current { listener.gone(promise, isObserved: isObserved) }
  }

  func began(_ promise: PromiseIdentity, thread: UInt) {
    for listener in current { listener.began(promise, thread: thread) }
  }

  func ended(_ promise: PromiseIdentity, thread: UInt) {
    for listener in current { listener.ended(promise, thread: thread) }
  }

  func combines(_ promise: PromiseIdentity, _ inputs: [PromiseIdentity], _ kind: String) {
    for listener in current { listener.combines(promise, inputs, kind) }
  }

  func name(_ promise: Promise, _ label: String, _ origin: Promise.Origin) {
    for case let register as Register in current {
      register.change(promise.identity) { record in
        record.label = label.isEmpty ? nil : label
        if record.origin == nil { record.origin = origin }
      }
    }
  }
}

extension Promise {
  /// Names the promise in `treeDescription`, in `debugDescription`, and in every running ``Census`` and
  /// ``Recorder``. A later census or recorder of this promise (`Census(of:)`) shows the name too. If the
  /// promise was not made with a resolver, running censuses and recorders store the place of this call as the
  /// promise's origin.
  ///
  /// A later name replaces this name; an empty text removes it. A name costs an entry in a table while its
  /// promise exists.
  @discardableResult
  public func named(_ label: String, fileID: StaticString = #fileID, line: UInt = #line) -> Self {
    self.label = label
    Hub.shared.name(self, label, Promise.Origin(fileID: fileID, line: line))
    return self
  }
}
