/// The value type of a typed peer's steps. A typed peer declares its value as `any Sendable`, because the
/// targets are about values of any type. Its times with `Int` are shown for comparison.
protocol Handed: Sendable {
  associatedtype Value: Sendable
  static var first: Value { get }
  static func add(_ number: Int, to value: Value) -> Value
}

enum HandsOnAny: Handed {
  static var first: any Sendable { 0 }
  @inline(__always) static func add(_ number: Int, to value: any Sendable) -> any Sendable {
    value as! Int + number
  }
}

enum HandsOnInt: Handed {
  static var first: Int { 0 }
  @inline(__always) static func add(_ number: Int, to value: Int) -> Int { value + number }
}
