/// Values that are passed as handlers but are not functions.
///
/// JavaScript accepts any value. Swift's types allow only an omitted argument, `nil`, and the `nil` of a
/// conditional cast.
enum NotAFunction: String, CaseIterable, Sendable {
  case leftOut = "left out"
  case nothing = "nil"
  case boolean = "false, cast to a handler"
  case integer = "5, cast to a handler"
  case object = "an object, cast to a handler"
  case array = "an array that contains a function, cast to a handler"

  /// The arguments of the cases of 2.2.1. Only the cases of 2.2.7 also use the array.
  static let basic: [NotAFunction] = [.leftOut, .nothing, .boolean, .integer, .object]

  /// The argument as a handler. It is `nil`, because no value is a function.
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

  /// Calls `then` with `handler` for `side`, and with this value for the other handler.
  @discardableResult
  func then(_ promise: Subject, _ side: Side, _ handler: @escaping Handler) -> Subject {
    if self != .leftOut { return side.handle(promise, handler, other: argument) }
    return side == .fulfilled
      ? promise.bridge.thenOnly(promise, handler) : promise.bridge.catchOnly(promise, handler)
  }
}
