// What the resolution procedure has to know of a value's dynamic type, remembered per type: a failing protocol
// cast costs more than a whole step of a chain, and conformances do not change while a program runs.

import Synchronization

/// What `[[Resolve]]` does with a value of some type.
enum TypeNature: UInt {
  case plain = 1
  case promise = 2
  case thenable = 3
  case error = 4
  case optional = 5

  init(of type: Any.Type) {
    self = TypeMemory.nature(of: type)
  }

  fileprivate init(asking type: Any.Type) {
    if type == Promise.self {
      self = .promise
    } else if type is any Thenable.Type {
      self = .thenable
    } else if type is any Error.Type {
      self = .error
    } else if type is any OptionalValue.Type {
      self = .optional
    } else {
      self = .plain
    }
  }
}

/// Looks through one layer of `Optional` without knowing what it wraps.
protocol OptionalValue {
  /// What it holds, as `Any`, or `nil`.
  var heldValue: Any? { get }
}

extension Optional: OptionalValue {
  var heldValue: Any? {
    switch self {
    case .some(let held): .some(erased(held))
    case .none: nil
    }
  }
}

/// A direct-mapped table: the address of the type's metadata and, in its low bits, its nature. Types that share a
/// place push each other out, which costs time and nothing else; entries are whole words, so no reader can see half of one.
private enum TypeMemory {
  static func nature(of type: Any.Type) -> TypeNature {
    let address = UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self))
    let place = table.place(Int(truncatingIfNeeded: (address >> 4) ^ (address >> 12)) & Table.mask)
    let entry = place.pointee.load(ordering: .relaxed)
    if entry & ~7 == address, let known = TypeNature(rawValue: entry & 7) { return known }
    let nature = TypeNature(asking: type)
    place.pointee.store(address | nature.rawValue, ordering: .relaxed)
    return nature
  }

  private static let table = Table()

  private final class Table: Sendable {
    static let mask = 255
    private nonisolated(unsafe) let places: UnsafeMutablePointer<Atomic<UInt>>

    init() {
      places = .allocate(capacity: Self.mask + 1)
      for index in 0...Self.mask { (places + index).initialize(to: Atomic(0)) }
    }

    func place(_ index: Int) -> UnsafeMutablePointer<Atomic<UInt>> { places + index }
  }
}
