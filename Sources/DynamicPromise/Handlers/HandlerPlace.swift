// The source lines of handlers and operators, in debug builds: for diagnostics, and in the error of a typed
// handler, which has another closure for that.

extension Handler {
  /// In debug builds, adds the line to the error for a value that is not a `V`. Line 0 adds nothing.
  @inlinable
  @inline(__always)
  func at<V>(_ type: V.Type, _ fileID: StaticString, _ line: UInt) -> Handler {
    #if DEBUG
      line > 0 ? checked(type, at: Promise.Origin(fileID: fileID, line: line)) : self
    #else
      self
    #endif
  }

  #if DEBUG
    @usableFromInline
    func checked<V>(_ type: V.Type, at place: Promise.Origin) -> Handler {
      guard kind.contains(.value) else { return self }
      return Handler(kind) { [call] value, reason in
        if reason == nil {
          // Adds the line to a mismatch of this cast only. A mismatch inside the handler has another cause.
          do {
            _ = try Wrap.argument(value) as V
          } catch PromiseError.typeMismatch(let expected, let found, let index, _) {
            throw PromiseError.typeMismatch(expected: expected, found: found, index: index, at: place)
          }
        }
        return try call(value, reason)
      }
    }
  #endif
}

extension Promise {
  /// In debug builds, reports the place where this promise was made to diagnostics.
  @inlinable
  @inline(__always)
  @discardableResult
  func at(_ fileID: StaticString, _ line: UInt) -> Promise {
    #if DEBUG
      notePlace(Origin(fileID: fileID, line: line))
    #endif
    return self
  }

  #if DEBUG
    /// A place in these products would tell the user nothing.
    @usableFromInline
    func notePlace(_ origin: Origin) {
      guard Diagnosis.isListening, !origin.fileID.hasPrefix("DynamicPromise") else { return }
      Diagnosis.notify { $0.placed(identity, origin) }
    }
  #endif
}

extension Promise.Origin {
  /// The place in debug builds, otherwise `nil`.
  static func whenDebugging(_ fileID: StaticString, _ line: UInt) -> Promise.Origin? {
    #if DEBUG
      Promise.Origin(fileID: fileID, line: line)
    #else
      nil
    #endif
  }
}
