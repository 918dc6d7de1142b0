// What a promise is printed as: PromiseKit's words. They include the reason of a rejection, which counts as
// observed then.

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
  /// The same with the types and the state. The handlers of a pending promise are not counted.
  public var debugDescription: String {
    switch result {
    case .fulfilled(let value): "Promise<\(T.self)>.fulfilled(\(value))"
    case .rejected(let error): "Promise<\(T.self)>.rejected(\(type(of: error)).\(error))"
    case nil: "Promise<\(T.self)>.pending"
    }
  }
}
