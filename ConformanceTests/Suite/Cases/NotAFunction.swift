/// Values that replace a handler and are not functions.
///
/// JavaScript accepts anything. Swift's types allow an omitted argument, `nil`, and the `nil` of a
/// conditional cast.
enum NotAFunction: String, CaseIterable, Sendable {
  case leftOut = "left out"
  case nothing = "nil"
  case boolean = "false, cast to a handler"
  case integer = "5, cast to a handler"
  case object = "an object, cast to a handler"
  case array = "an array that contains a function, cast to a handler"

  /// The arguments in the clauses on `then`; the array comes up with its outcome only.
  static let basic: [NotAFunction] = [.leftOut, .nothing, .boolean, .integer, .object]

  /// The argument, where it is one.
  private var argument: Handler? {
    let argument: Any =
      switch self {
      case .leftOut, .nothing: Handler?.none as Any
      case .boolean: false
      case .integer: 5
      case .object: Sentinel("no handler")
      case .array: [{ $0 } as Handler]
      }
    return argument as? Handler
  }

  /// `then` with a handler for that side, and this in the place of the other.
  @discardableResult
  func then(_ promise: Subject, _ side: Side, _ handler: @escaping Handler) -> Subject {
    if self != .leftOut { return side.handle(promise, handler, other: argument) }
    return side == .fulfilled
      ? promise.bridge.thenOnly(promise, handler) : promise.bridge.catchOnly(promise, handler)
  }
}
