/// The text of a literal, in one word, so that each core has room for the place where it was made.
struct StaticText: @unchecked Sendable {
  private let start: UnsafePointer<UInt8>

  /// A literal of a single Unicode scalar, which may have no memory of its own, becomes "?".
  init(_ literal: StaticString) {
    start = (literal.hasPointerRepresentation ? literal : "?" as StaticString).utf8Start
  }

  var text: String { String(cString: start) }
}
