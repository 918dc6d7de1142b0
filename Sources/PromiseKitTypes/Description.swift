// The text of a printed promise, as in PromiseKit. It includes the reason of a rejection, which then counts
// as observed.

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
  /// The same with the types and the state. Unlike PromiseKit's, it does not state the number of handlers.
  public var debugDescription: String {
    switch result {
    case .fulfilled(let value): "Promise<\(T.self)>.fulfilled(\(value))"
    case .rejected(let error): "Promise<\(T.self)>.rejected(\(type(of: error)).\(error))"
    case nil: "Promise<\(T.self)>.pending"
    }
  }
}
