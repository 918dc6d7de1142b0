// Names of promises, for people (`named` in `DynamicPromiseDiagnostics`).
//
// They stand in a table of their own, so that a promise without one carries nothing for it: neither a field nor, when it
// goes, more than the test of a bit that is in a register already. A name leaves the table in its promise's `deinit`, before the
// address can be used again.

extension Promise {
  /// What the promise was named; the empty text counts as none.
  package var label: String? {
    get { word.peek() & State.labelled == 0 ? nil : Labels.text(of: ObjectIdentifier(self)) }
    set {
      Labels.set(newValue.flatMap { $0.isEmpty ? nil : $0 }, of: ObjectIdentifier(self))
      // Stays when the name goes: then the table has nothing to forget.
      let bits = word.lock()
      word.unlock(bits | State.labelled)
    }
  }

  /// The promise goes away. Runs in `deinit`.
  func forgetLabel() { Labels.set(nil, of: ObjectIdentifier(self)) }
}

package enum Labels {
  private static let word = LockedWord(0)
  /// Guarded by `word`.
  private nonisolated(unsafe) static var texts: [ObjectIdentifier: String] = [:]

  /// How many promises have one.
  package static var count: Int {
    let bits = word.lock()
    let count = texts.count
    word.unlock(bits)
    return count
  }

  fileprivate static func text(of promise: ObjectIdentifier) -> String? {
    let bits = word.lock()
    let text = texts[promise]
    word.unlock(bits)
    return text
  }

  fileprivate static func set(_ text: String?, of promise: ObjectIdentifier) {
    let bits = word.lock()
    let former = texts.removeValue(forKey: promise)
    if let text { texts[promise] = text }
    word.unlock(bits)
    // Here at the earliest: on Apple's systems a text may be an object of somebody's.
    withExtendedLifetime(former) {}
  }
}
