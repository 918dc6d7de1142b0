/// What the steps of a typed peer hand on. The targets are about values of any type, as ours are, and about
/// one handler, `{ $0 as! Int + 1 }`: a peer whose promises know their value's type declares it as `any
/// Sendable`. What it takes where it may be an `Int` stands beside that.
protocol Handed: Sendable {
  associatedtype Value: Sendable
  static var first: Value { get }
  /// The work of a workload's handler.
  static func next(_ value: Value) -> Value
}

enum HandsOnAny: Handed {
  static var first: any Sendable { 0 }
  @inline(__always) static func next(_ value: any Sendable) -> any Sendable { value as! Int + 1 }
}

enum HandsOnInt: Handed {
  static var first: Int { 0 }
  @inline(__always) static func next(_ value: Int) -> Int { value + 1 }
}
