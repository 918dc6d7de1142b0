// The text of a printed promise, as in PromiseKit. Printing observes a rejection, because the text includes
// the reason.

extension Promise: CustomStringConvertible {
  /// `Promise(3)`, `Promise(offline)` for a rejection, or `Promise(…Int)` while pending.
  public var description: String {
    switch result {
    case .fulfilled(let value): "Promise(\(value))"
    case .rejected(let error): "Promise(\(error))"
    case nil: "Promise(…\(T.self))"
    }
  }
}

extension Promise: CustomDebugStringConvertible {
  /// `Promise<Int>.fulfilled(3)`, `Promise<Int>.rejected(NetworkError.offline)`, or `Promise<Int>.pending`.
  /// Unlike PromiseKit's text, this text does not state the number of handlers.
  public var debugDescription: String {
    switch result {
    case .fulfilled(let value): "Promise<\(T.self)>.fulfilled(\(value))"
    case .rejected(let error): "Promise<\(T.self)>.rejected(\(type(of: error)).\(error))"
    case nil: "Promise<\(T.self)>.pending"
    }
  }
}
