extension Promise {
  /// A place in the source: where a promise was made.
  ///
  /// Two words: it points at the name that the compiler has put into the program.
  public struct Origin: @unchecked Sendable {
    private let name: UnsafePointer<UInt8>
    private let length: UInt32
    private let number: UInt32

    /// The place of the call, unless told otherwise. A line beyond the 32-bit range counts as the last one in it.
    public init(fileID: StaticString = #fileID, line: UInt = #line) {
      let fileID = fileID.hasPointerRepresentation ? fileID : "?"
      name = fileID.utf8Start
      length = UInt32(fileID.utf8CodeUnitCount)
      number = UInt32(clamping: line)
    }

    /// Module and file, as `#fileID` has them.
    public var fileID: String {
      String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    /// The line in the file, from 1.
    public var line: Int { Int(number) }
  }

  /// Where this promise was made, if it was made together with a resolver (`pending()`, `Promise { resolver in ... }`).
  public var origin: Origin? {
    let bits = word.lock()
    let fate = fate
    word.unlock(bits)
    return fate?.origin
  }
}

extension Promise.Origin: Hashable, CustomStringConvertible {
  /// Whether both name the same line.
  public static func == (left: Self, right: Self) -> Bool {
    left.number == right.number && left.fileID == right.fileID
  }

  /// By file and line.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(fileID)
    hasher.combine(number)
  }

  /// `Module/File.swift:12`
  public var description: String { "\(fileID):\(number)" }
}
