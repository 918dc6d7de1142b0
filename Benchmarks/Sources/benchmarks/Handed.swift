/// The value type of a typed peer's steps. A typed peer declares its value as `any Sendable`, because the
/// targets are about values of any type. The handler is `{ $0 as! Int + 1 }`. The peer's times with `Int` are
/// shown for comparison.
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
