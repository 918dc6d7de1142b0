// Names of promises, for people (`named` in `DynamicPromiseDiagnostics`).
//
// They stand in a table of their own, so that a promise without one carries nothing for it: neither a field nor, when it
// goes, more than the test of a bit that is in a register already. A name leaves the table in its promise's `deinit`, before the
// address can be used again.

extension Promise {
  /// What the promise was named; the empty text counts as none.
  package var label: String? {
    get { lock.with { flags.contains(.labelled) } ? Labels.texts.with { $0[ObjectIdentifier(self)] } : nil }
    set {
      Labels.set(newValue.flatMap { $0.isEmpty ? nil : $0 }, of: ObjectIdentifier(self))
      // Stays when the name goes: then the table has nothing to forget.
      lock.with { _ = flags.insert(.labelled) }
    }
  }

  /// The promise goes away. Runs in `deinit`.
  func forgetLabel() { Labels.set(nil, of: ObjectIdentifier(self)) }
}

package enum Labels {
  fileprivate static let texts = Guarded<[ObjectIdentifier: String]>([:])

  /// How many promises have one.
  package static var count: Int { texts.with { $0.count } }

  static func text(of promise: ObjectIdentifier) -> String? { texts.with { $0[promise] } }

  fileprivate static func set(_ text: String?, of promise: ObjectIdentifier) {
    // Released here: on Apple's systems a text may be an object of somebody's.
    let former = texts.with { texts in
      let former = texts.removeValue(forKey: promise)
      if let text { texts[promise] = text }
      return former
    }
    withExtendedLifetime(former) {}
  }
}
