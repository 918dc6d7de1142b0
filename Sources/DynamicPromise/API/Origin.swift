extension Promise {
  /// The place in the source where a promise was made.
  public struct Origin: Sendable {
    private let name: StaticText
    private let number: UInt16

    /// The default is the place of the call. A line number of more than 16 bits is clamped.
    @usableFromInline
    package init(fileID: StaticString = #fileID, line: UInt = #line) {
      name = StaticText(fileID)
      number = UInt16(clamping: line)
    }

    /// Module and file, in the format of `#fileID`.
    public var fileID: String { name.text }

    /// The line in the file, from 1.
    public var line: Int { Int(number) }
  }
}

extension Promise {
  /// The place where this promise was made, if it was made together with a resolver (`pending()`,
  /// `Promise { resolver in ... }`).
  public var origin: Promise.Origin? {
    core.lock.with { core.origin }
  }
}

extension Promise.Origin: Hashable, CustomStringConvertible {
  /// Whether both places are the same line.
  public static func == (left: Self, right: Self) -> Bool {
    left.number == right.number && left.fileID == right.fileID
  }

  /// Hashes file and line.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(fileID)
    hasher.combine(number)
  }

  /// `Module/File.swift:12`
  public var description: String { "\(fileID):\(number)" }
}
