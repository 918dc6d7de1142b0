// Cancellation by message: down the tree, top down, along the agenda (C1 to C5, C8).

extension Promise {
  /// One visit of a cancellation. A pending promise settles at once; what waits for it hears of it when it is
  /// dispatched. A settled one stays as it is and passes the message on (C3). A told one has passed it on already.
  func tell(_ reason: any Error, _ agenda: inout Agenda) {
    let bits = word.lock()
    if bits & State.told != 0 { return word.unlock(bits) }
    guard State.isSettled(bits) else {
      return finish(bits, Store(reason: reason), State.rejected | State.told, &agenda)
    }
    var below: [Descendant] = []
    collectWaiting(&below)
    if active != nil { agenda.walk() }
    collectActive(&below)
    word.unlock(bits)
    for descendant in below { agenda.add(.cancel(descendant, reason)) }
  }

  /// The handler of a told parent's child has returned: the child is cancelled whatever came back, and an error that
  /// it returned or threw becomes the child's reason (C2).
  func concludeTold(_ result: Resolution, _ parentReason: any Error, _ agenda: inout Agenda) {
    let reason = result.error ?? parentReason
    if case .running(let handler) = result {
      leaveThread()
      return handler.observe(ReturnOfHandler(handler, of: self, reason), &agenda)
    }
    tellWhatReturned(reason, &agenda)
  }

  /// The handler goes on in a task.
  private func leaveThread() {
    let bits = word.lock()
    if State.isUnresolved(bits) { store.words.0 = 0 }
    word.unlock(bits)
  }

  fileprivate func tellWhatReturned(_ reason: any Error, _ agenda: inout Agenda) {
    let bits = word.lock()
    guard !State.isSettled(bits) else { return word.unlock(bits) }
    finish(bits, Store(reason: reason), State.rejected | State.told, &agenda)
  }
}

/// Waits for an asynchronous handler under a told parent, and keeps it running: nobody else waits for its task.
final class ReturnOfHandler: Observer {
  private let handler: Promise
  private let child: Promise?
  private let reason: any Error

  init(_ handler: Promise, of child: Promise?, _ reason: any Error) {
    self.handler = handler
    self.child = child
    self.reason = reason
  }

  override func settled(_ promise: Promise, _ agenda: inout Agenda) {
    child?.tellWhatReturned(promise.reason ?? reason, &agenda)
  }
}

extension Descendant {
  /// One visit of a cancellation.
  func tell(_ reason: any Error, _ agenda: inout Agenda) {
    switch self {
    case .promise(let promise): promise.tell(reason, &agenda)
    case .member(let member):
      var below: [Descendant] = []
      if let promise = member.promise(orBelow: &below) { return promise.tell(reason, &agenda) }
      for descendant in below { agenda.add(.cancel(descendant, reason)) }
    }
  }
}

extension Resolution {
  /// The error that a handler returned or threw.
  fileprivate var error: (any Error)? {
    switch self {
    case .fulfilled, .adopt, .running: return nil
    case .rejected(let reason): return reason
    case .unknown(var value):
      while true {
        switch TypeNature(of: type(of: value)) {
        case .error: return value as? any Error
        case .optional:
          guard let held = (value as? any OptionalValue)?.heldValue else { return nil }
          value = held
        case .plain, .promise, .thenable: return nil
        }
      }
    }
  }
}
